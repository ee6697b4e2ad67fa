"""Questions as values, their answers, and how any list of them is carried out, kept and gone on with."""
