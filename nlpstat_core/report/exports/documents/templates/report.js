for (const table of document.querySelectorAll('table')) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      const key = row => row.cells[column].dataset.k ?? row.cells[column].textContent;
      const number = head.classList.contains('n');
      const rows = [...table.tBodies[0].rows].map((row, place) => ({row, place, key: key(row)}));
      const gone = entry => entry.key === '' || entry.key === 'nan';
      rows.sort((x, y) => gone(x) - gone(y) || (gone(x) ? 0 : (down ? -1 : 1) *
        (number ? x.key - y.key : x.key.localeCompare(y.key))) || x.place - y.place);
      heads.forEach(other => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      table.classList.add('sorted');
      table.tBodies[0].append(...rows.map(entry => entry.row));
    });
  });
}
