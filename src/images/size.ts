export interface PictureDimensions {
  readonly width: number;
  readonly height: number;
}

/** Shrunk by a factor and rounded down, so that the area stays below the limit that the factor was made for. */
export function shrunkBy({ width, height }: PictureDimensions, scale: number): PictureDimensions {
  if (scale >= 1) return { width, height };
  return {
    width: Math.max(1, Math.floor(width * scale)),
    height: Math.max(1, Math.floor(height * scale)),
  };
}

/** Larger or smaller by a factor, to the nearest pixel. */
export function scaledBy({ width, height }: PictureDimensions, scale: number): PictureDimensions {
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: side(width), height: side(height) };
}

/** A view of the same bytes. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
