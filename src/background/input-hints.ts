const ours = "This is a fault of this bot; tell whoever runs it.";

/** What to do about each 400 of the service, by its code. */
export const inputHints = {
  missing_source: "Give a picture: attach it, or name its address.",
  multiple_sources: "Give either a picture or its address, not both.",
  invalid_image_url:
    "That is no address of a picture on the web; it starts with https:// or http://. Attach the picture instead.",
  failed_image_download: "The picture at that address could not be fetched. Attach it instead.",
  file_too_large: "The picture's file is too large. Attach a smaller one.",
  invalid_file_type: "Only JPG, PNG and WebP pictures can be used. Attach one of those.",
  invalid_dimensions: "The picture's size can't be read; its file may be damaged. Try another one.",
  failed_to_read_image: "The picture can't be read; its file may be damaged. Try another one.",
  resolution_too_high: "The picture has more than 50 megapixels. Shrink it and try again.",
  unknown_foreground:
    "No clear subject was found in the picture. Try one where it stands out from the background.",
  invalid_size:
    "That size is not one the image service knows. Choose auto, preview, medium, hd, full or 50MP.",
  invalid_format:
    "That format is not one the image service knows. Choose PNG, JPG, WebP or ZIP, or leave it out.",
  invalid_channels:
    "Those channels are not known. Choose rgba for the whole picture, or alpha for its matte alone.",
  invalid_roi:
    "The region must be four numbers, each with px or %: left, top, right and bottom, such as 10% 0% 90% 100%.",
  roi_exceeds_bounds:
    "The region reaches beyond the picture. Percentages end at 100%, pixels at its width and height. Make it smaller.",
  roi_region_empty:
    "The region is empty. Its right edge must lie right of its left one, and its bottom below its top.",
  invalid_crop_margin:
    "The margin must be one, two or four lengths in px or %, at most 500px or 50% a side, such as 10px or 5% 10%.",
  invalid_scale: "The scale must be original, or between 10% and 100%.",
  invalid_position:
    "The position must be original, center, or one or two percentages from 0% to 100%.",
  invalid_semitransparency: ours,
  invalid_bg_color: "That color is not understood. Give it like 81d4fa, or by its English name.",
  invalid_bg_image_url:
    "That is no address of a picture on the web; it starts with https:// or http://. Attach the picture instead.",
  failed_bg_download: "The background picture could not be fetched. Attach it instead.",
  multiple_bg_sources: "Give only one background: a color or one picture.",
  multiple_shadow_params: "Give either a kind of shadow or its older on and off, not both.",
  invalid_shadow_opacity: "The shadow's opacity must be between 0 and 100, or auto.",
} as const;

/** The same about what only this bot refuses, because the service has no code for it. */
export const ownHints = {
  empty_image: "The picture is empty. Attach another one.",
  png_too_large: "A PNG would have more than 10 megapixels. Choose WebP instead.",
  jpg_transparent:
    "A JPG has no transparency, and the background color is transparent. Choose PNG or WebP, or a solid color.",
  bg_image_file_body:
    "A background picture can't be sent in this way. Send it as a file, or name its address.",
  invalid_type:
    "That kind of subject is not one the image service knows. Choose person, product, car, animal, graphic or transportation, or leave it out.",
  invalid_type_level: "The detail of the subject must be none, 1, 2 or latest.",
  invalid_shadow_type: "The kind of shadow must be auto, car, 3D, drop or none.",
} as const;
