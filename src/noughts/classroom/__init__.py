"""A class at the page: pupils join by a code, do one assignment at a time and play each other by a link; the teacher sees results.

This folder can be deleted: nothing outside imports it but `noughts serve --class`, which then refuses. Its records
are in the store (`store/class_records.py`). It adds its routes (`/api/class`), its visitors, and its part of the page (`static`).
"""
