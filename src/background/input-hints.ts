const ours = "This is a fault of this bot; tell whoever runs it.";

/** What to do about each 400 of the service, by its code. */
export const inputHints: Readonly<Record<string, string>> = {
  missing_source: "Give a picture: attach it, or name its address.",
  multiple_sources: "Give either a picture or its address, not both.",
  invalid_image_url: "That is no address of a picture on the web. Attach the picture instead.",
  failed_image_download: "The picture at that address could not be fetched. Attach it instead.",
  file_too_large: "The picture's file is too large. Attach a smaller one.",
  invalid_file_type: "Only JPG, PNG and WebP pictures can be used. Attach one of those.",
  invalid_dimensions: "The picture's size can't be read; its file may be damaged. Try another one.",
  failed_to_read_image: "The picture can't be read; its file may be damaged. Try another one.",
  resolution_too_high: "The picture has more than 50 megapixels. Shrink it and try again.",
  unknown_foreground:
    "No clear subject was found in the picture. Try one where it stands out from the background.",
  invalid_size: "That size is not one the image service knows. Choose another.",
  invalid_format: "That format is not one the image service knows. Choose another.",
  invalid_channels: ours,
  invalid_roi: "The region must be four numbers, each in px or %.",
  roi_exceeds_bounds: "The region reaches beyond the picture. Make it smaller.",
  roi_region_empty: "The region is empty. Make it larger.",
  invalid_crop_margin: "The margin must be in px or %, at most half the subject or 500 px a side.",
  invalid_scale: "The scale must be between 10% and 100%.",
  invalid_position: "The position must be original, center, or one or two percentages.",
  invalid_semitransparency: ours,
  invalid_bg_color: "That color is not understood. Give it like 81d4fa, or by its English name.",
  invalid_bg_image_url: "That is no address of a picture on the web. Attach the picture instead.",
  failed_bg_download: "The background picture could not be fetched. Attach it instead.",
  multiple_bg_sources: "Give only one background: a color or one picture.",
  multiple_shadow_params: ours,
  invalid_shadow_opacity: "The shadow's opacity must be between 0 and 100.",
};
