"""Examines one agent: an exhaustive check of its games, a comparison of its moves with exact values, a certificate."""
