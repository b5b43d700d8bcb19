export { banner } from "./banner.ts";
export { thumbnailOfCutout } from "./cutout-thumbnail.ts";
export { thumbnail } from "./thumbnail.ts";
export { watermark, watermarkTimes } from "./watermark.ts";
