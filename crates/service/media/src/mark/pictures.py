"""Pictures as servers write them, with their graph in every place that is used for it; and what another reader finds afterwards."""

import json
import sys
from pathlib import Path

from PIL import Image, ImageCms, PngImagePlugin

COLORS = [(200, 40, 40), (40, 200, 40), (40, 40, 200)]
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
# Without the time at which it was made.
PROFILE = PROFILE[:24] + bytes(12) + PROFILE[36:]


def picture(mode="RGB"):
    image = Image.new(mode, (24, 16))
    for x in range(24):
        for y in range(16):
            image.putpixel((x, y), COLORS[(x + y) % 3] + ((x * 10,) if mode == "RGBA" else ()))
    return image


def make(folder, secret):
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "workflow:" + secret
    exif[0x010E] = secret
    text = PngImagePlugin.PngInfo()
    for name in ("prompt", "workflow", "parameters"):
        text.add_text(name, json.dumps({"1": secret}))
    text.add_itxt("Comment", secret)
    kept = {"exif": exif.tobytes(), "icc_profile": PROFILE}
    picture().save(folder / "a.png", pnginfo=text, **kept)
    picture().save(folder / "a.jpg", comment=secret.encode(), quality=95, **kept)
    picture().save(folder / "a.webp", lossless=True, **kept)
    picture("RGBA").save(folder / "alpha.webp", lossless=True, exact=True, **kept)
    frames = [picture("RGBA").rotate(90 * turn) for turn in range(3)]
    frames[0].save(folder / "film.webp", save_all=True, append_images=frames[1:], lossless=True, **kept)
    palette = [frame.convert("RGB").convert("P") for frame in frames]
    palette[0].save(folder / "a.gif", save_all=True, append_images=palette[1:], comment=secret.encode(), loop=0)


def check(folder):
    for path in sorted(folder.iterdir()):
        with Image.open(path) as image:
            image.load()
            if path.suffix == ".gif":
                # This reader knows no XMP in GIF.
                assert image.n_frames == 3 and image.info["loop"] == 0, path
                continue
            assert image.getexif().get(0x0112) == 6 and len(image.getexif()) == 1, path
            assert image.info["icc_profile"] == PROFILE, path
            alpha = path.name in ("alpha.webp", "film.webp")
            assert image.mode == ("RGBA" if alpha else "RGB"), path
            if path.suffix != ".jpg":
                assert image.convert("RGB").getpixel((1, 0)) == COLORS[1], path
            if path.name == "alpha.webp":
                assert image.tobytes() == picture("RGBA").tobytes(), path
            if path.name == "film.webp":
                assert image.n_frames == 3, path
            packet = image.info.get("xmp") or image.info["XML:com.adobe.xmp"]
            print(path.name, packet if isinstance(packet, str) else packet.decode())


if sys.argv[1] == "make":
    make(Path(sys.argv[2]), sys.argv[3])
else:
    check(Path(sys.argv[2]))
