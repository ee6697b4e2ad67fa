"""Studies: questions from the papers, one file each, answered by playing and by measuring."""
