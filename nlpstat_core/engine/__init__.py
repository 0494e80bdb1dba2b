"""What every procedure computes with: pairs as columns of a batch, sample quantities, exact distributions."""
