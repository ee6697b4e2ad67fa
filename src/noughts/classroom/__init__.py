"""Classroom mode of the web app: pupils join with a code, do assignments and play each other; the teacher sees the results.

This folder can be deleted: only `noughts serve --class` imports it, and that command then fails with a message. Its records
are in the store (`store/class_records.py`). It adds routes (`/api/class`), visitors, and a part of the page (`static`).
"""
