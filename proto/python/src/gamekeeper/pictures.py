"""Drawings as pixels, by resvg. Needs `pip install 'gamekeeper[pictures]'`."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]


def pixels(drawing: str) -> Pixels:
    """An SVG as an array of height, width and 3 colors.

    Raises `ImportError` where what it needs is not installed.
    """
    try:
        import resvg_py
        from PIL import Image
    except ImportError as missing:
        raise ImportError("rgb_array needs resvg and Pillow: pip install 'gamekeeper[pictures]'") from missing
    with Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=drawing)))) as image:
        return np.array(image.convert("RGB"), np.uint8)
