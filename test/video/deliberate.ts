const namedOnPage = "YouTube's pages name it: docs/services/youtube.md#channels";
const oftenPartial =
  "An update may leave its part alone, to change another one: it is due only when `part` names it.";
const ownName = "The name in our types; the service's own name does not say what it is.";
const commaList = "It travels as one comma list, and longer lists are split into several calls.";
const unnamedField =
  "The part is documented as one that can be written, and this is its one field.";
const notWritten =
  "No document says that an update writes it, and `part` of an update says what is written.";

/** Where the method table differs on purpose from the documents it was made from, and why. */
export const deliberate: Readonly<Record<string, string>> = {
  "channelBanners.insert body.resource": "Only the picture is sent; the documents say so too.",
  "channelBanners.insert query.channelId.deprecated":
    "The service goes by the token's channel, so nobody is offered it.",
  "channelBanners.insert result": ownName,
  "channelSections.update body.required snippet.type": oftenPartial,
  "channelSections.update body.withPart snippet.type": oftenPartial,
  "channels.list part.enum invideoPromotion": namedOnPage,
  "channels.update body.fields brandingSettings.channel.showBrowseView":
    "Sections show only where it is true: docs/services/youtube.md#channel-sections",
  "channels.update body.fields invideoPromotion": namedOnPage,
  "channels.update part.enum auditDetails": notWritten,
  "channels.update part.enum contentDetails": notWritten,
  "channels.update part.enum contentOwnerDetails": notWritten,
  "channels.update part.enum id": notWritten,
  "channels.update part.enum invideoPromotion": namedOnPage,
  "channels.update part.enum snippet": notWritten,
  "channels.update part.enum statistics": notWritten,
  "channels.update part.enum topicDetails": notWritten,
  "commentThreads.insert body.required snippet.videoId":
    "YouTube says whether it takes one: docs/services/youtube.md#comments-about-a-channel",
  "commentThreads.list filters.exactlyOne channelId":
    "YouTube says what it has of them: docs/services/youtube.md#comments-about-a-channel",
  "commentThreads.list filters.exactlyOne postId":
    "It selects threads as the three others do; the reference page alone leaves it out.",
  "members.list query.filterByMemberChannelId.repeated": commaList,
  "playlistItems.update body.required snippet.playlistId": oftenPartial,
  "playlistItems.update body.required snippet.resourceId": oftenPartial,
  "playlistItems.update body.withPart snippet.playlistId": oftenPartial,
  "playlistItems.update body.withPart snippet.resourceId": oftenPartial,
  "playlists.update body.required snippet.title": oftenPartial,
  "playlists.update body.withPart snippet.title": oftenPartial,
  "search.list part.enum id":
    "Public clients send id and id,snippet, and the service answers both.",
  "search.list result": ownName,
  "subscriptions.list query.forChannelId.repeated": commaList,
  "thumbnails.set result": ownName,
  "videos.getRating result": ownName,
  "videos.insert body.withPart snippet.categoryId":
    "The reference asks for it in updates alone, and public clients upload without it.",
  "videos.insert body.fields paidProductPlacementDetails.hasPaidProductPlacement": unnamedField,
  "videos.update body.fields paidProductPlacementDetails.hasPaidProductPlacement": unnamedField,
  "watermarks.set body.resource": ownName,
};
