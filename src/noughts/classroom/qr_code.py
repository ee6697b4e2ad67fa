"""An address as a QR code, for a page and for a terminal."""

import io

import segno


def qr_picture(address: str) -> bytes:
    """As SVG, black on white with its margin, whatever the page's colours are: cameras want it so."""
    written = io.BytesIO()
    segno.make_qr(address, error="m").save(written, kind="svg", scale=8, border=4, light="#fff", dark="#000")
    return written.getvalue()


def qr_text(address: str) -> str:
    """As lines of block characters, light on dark."""
    written = io.StringIO()
    segno.make_qr(address, error="l").terminal(out=written, compact=True, border=2)
    return written.getvalue()
