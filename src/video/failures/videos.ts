import { access, input, isThere, type KnownFailures, limit, service } from "./known.ts";

const notYours = "Only the owner of the video can do that. Link the channel that it belongs to.";
const captionRights = "Only the owner of the video can work on its captions. Link that channel.";

/** Videos, searches, captions, pictures of a channel, and uploads. */
export const videoFailures: KnownFailures = {
  invalidSearchFilter: input(
    "These filters do not go together. Most of them need the search to be for videos only.",
  ),
  invalidChannelId: input("That is no channel of the service. Copy its link or its ID again."),
  invalidLocation: input(
    "That place can't be searched. Give a latitude and a longitude, and a radius of at most 1000 km.",
  ),
  invalidRelevanceLanguage: input("That language is not known. Give its two letters, like en."),

  videoNotFound: input("That video can't be found. It may be private or deleted."),
  videoChartNotFound: input("There is no such chart for this country or category. Choose another."),
  videoCategoryNotFound: input("There is no such category. Choose one from the list."),
  "videoCategoryNotFound videoCategories.list": input(
    "At least one of these categories doesn't exist. Choose from the suggestions.",
  ),
  invalidCategoryId: input("That category can't be given to a video. Choose one from the list."),
  invalidTitle: input("The title is empty, too long, or holds angle brackets. Change it."),
  invalidDescription: input("The description is too long or holds angle brackets. Change it."),
  invalidTags: input("The tags are too many or too long. Leave some out."),
  invalidPublishAt: input(
    "That time to publish can't be used. It must lie ahead, and the video must be private until then.",
  ),
  invalidRecordingDetails: input("The date of the recording can't be used. Check it."),
  invalidFilename: input("The file's name can't be used. Rename it and try again."),
  invalidVideoMetadata: input(
    "The video's details are not accepted. It needs a title and a category at least.",
  ),
  invalidDefaultBroadcastPrivacySetting: input(
    "The channel's standing broadcast can't be shown to these people. Choose another visibility.",
  ),
  defaultLanguageNotSet: input(
    "Translations need to know the original's language. Set the default language first.",
  ),
  forbiddenPrivacySetting: access("This channel may not use that visibility. Choose another one."),
  forbiddenLicenseSetting: access("This channel may not use that license. Choose another one."),
  forbiddenEmbedSetting: access("This channel may not decide where the video is shown."),
  "forbidden videos.list": access("Only the owner sees these details. Link that channel."),
  "forbidden videos.insert": access("The linked account may not upload to this channel."),
  "forbidden videos.update": access(notYours),
  "forbidden videos.delete": access(notYours),
  "forbidden videos.rate": access("This video can't be rated by the linked account."),
  videoRatingDisabled: access(
    "Ratings are switched off for this video. Only its owner can allow them.",
  ),
  videoPurchaseRequired: access("Only people who bought or rented the video can rate it."),
  invalidRating: input("A video can be liked, disliked or neither. Choose one of them."),
  invalidAbuseReason: input("That reason can't be reported. Choose one from the list."),

  captionNotFound: input("These captions are no longer there. List the video's captions anew."),
  captionExists: isThere("There are captions of that language and name already."),
  couldNotConvert: input(
    "These captions aren't available in that format or language. Choose another.",
  ),
  contentRequired: input("The file with the captions is missing. Attach it."),
  invalidMetadata: input("The captions' language, name or video is not accepted. Check them."),
  nameTooLong: input("The captions' name is too long: 150 characters are the most."),
  "forbidden captions.list": access(captionRights),
  "forbidden captions.download": access(captionRights),
  "forbidden captions.insert": access(captionRights),
  "forbidden captions.update": access(captionRights),
  "forbidden captions.delete": access(captionRights),

  invalidImage: input("The service can't use this picture. Send a PNG or JPG."),
  imageFormatUnsupported: input(
    "The service does not take pictures of that kind. Send PNG or JPG.",
  ),
  imageTooTall: input("The picture is too tall. Send a smaller one."),
  imageTooWide: input("The picture is too wide. Send a smaller one."),
  bannerAlbumFull: input("The channel's album of banners is full. Delete old ones on the site."),
  mediaBodyRequired: input("The file is missing or empty. Attach it again."),
  "forbidden thumbnails.set": access(
    "Only the video's owner can set its thumbnail, and only on a channel that was confirmed by phone.",
  ),
  "forbidden watermarks.set": access("Only the channel's owner can set its watermark."),
  "forbidden watermarks.unset": access("Only the channel's owner can remove its watermark."),
  uploadTooLarge: input("The file is too large. Choose a smaller one."),
  uploadLimitExceeded: limit("The channel has reached its own upload limit. Try again tomorrow."),
  uploadRateLimitExceeded: limit(
    "The channel changed its pictures too often. Try again in some hours.",
  ),
  notUpload: service(
    "A file was expected there and none was sent. Tell the people who run this bot.",
  ),
  wrongUrlForUpload: service(
    "Uploads go to the wrong address. Ask the people who run this bot to check VIDEO_UPLOAD_URL.",
  ),
};
