import { access, connect, input, isThere, type KnownFailures } from "./known.ts";

const channels = "Give this kind of section its channels.";
const playlists = "Give this kind of section its playlists.";
const locale = "Translations need to know the original's language. Set the default language first.";

/** Channels, their sections, subscriptions, members and activities. */
export const channelFailures: KnownFailures = {
  channelNotFound: input("That channel can't be found. It may have been closed."),
  "channelNotFound 403": access(
    "The linked account has no such channel to act for. Link the channel that this is about.",
    "acting_channel_not_found",
  ),
  "channelNotFound channelSections.insert": input("A channel of this section can't be found."),
  "channelNotFound channelSections.update": input("A channel of this section can't be found."),
  "playlistNotFound channelSections.insert": input("A playlist of this section can't be found."),
  "playlistNotFound channelSections.update": input("A playlist of this section can't be found."),
  channelClosed: access("That channel was closed. Choose another one."),
  channelSuspended: access("The service has suspended that channel. Choose another one."),
  channelForbidden: access(
    "The linked account may not do that with this channel. Link the channel itself.",
  ),
  categoryNotFound: input("That kind of channel is no longer known. Leave it out."),
  homeChannelNotFound: input("There is no home feed for this account. Name a channel instead."),
  brandingValidationError: input(
    "One of the channel's settings is not accepted. Check the description, keywords and country.",
  ),
  channelTitleUpdateForbidden: input(
    "The channel's name can't be changed from here. Change it on the site.",
  ),
  websiteLinkNotAllowed: input("That web address is not allowed there. Use another one."),
  defaultLanguageNotSetError: input(locale),
  localizationValidationError: input(
    "One of the translations is not accepted. Check its language, title and description.",
  ),

  channelSectionNotFound: input("That section is no longer there. List the sections anew."),
  channelSectionForbidden: access(
    "The linked account may not change the sections of this channel. Link the channel itself.",
  ),
  notEditable: input("The service keeps this kind of section itself. Choose another one."),
  typeRequired: input("Choose what kind of section it is."),
  snippetNeeded: input("Choose what kind of section it is."),
  titleRequired: input("This kind of section needs a title. Give it one."),
  titleLengthExceeded: input("The section's title is too long. Shorten it."),
  contentDetailsNeeded: input("Choose what the section shows."),
  inValidPosition: input("There is no such place among the sections. Choose a lower one."),
  channelNotActive: input("A channel of this section is not in use any more. Leave it out."),
  channelsDuplicated: input("A channel is named twice in this section. Name each once."),
  channelsNeeded: input(channels),
  channelsNotExpected: input("This kind of section shows no channels. Leave them out."),
  ownChannelInChannels: input("Your own channel can't be in this section. Leave it out."),
  playlistIsPrivate: input(
    "A playlist of this section is private. Make it public or leave it out.",
  ),
  playlistsDuplicated: input("A playlist is named twice in this section. Name each once."),
  playlistsNeeded: input(playlists),
  onePlaylistNeeded: input("This kind of section shows exactly one playlist. Name one."),
  playlistsNotExpected: input("This kind of section shows no playlists. Leave them out."),
  maxChannelSectionExceeded: input(
    "The channel has as many sections as it can have: 10. Delete one first.",
  ),
  maxChannelsExceeded: input("There are too many channels in this section. Leave some out."),
  "maxPlaylistExceeded channelSections.insert": input(
    "There are too many playlists in this section. Leave some out.",
  ),
  "maxPlaylistExceeded channelSections.update": input(
    "There are too many playlists in this section. Leave some out.",
  ),

  subscriptionNotFound: input("That subscription is no longer there. Nothing had to be done."),
  subscriptionDuplicate: isThere("The channel is subscribed to already; nothing had to be done."),
  subscriptionForbidden: access("The linked account may not do that with this subscription."),
  "subscriptionForbidden 400": access(
    "The service takes no more subscriptions from this account for now, or it is the account's own channel.",
    "subscription_refused",
  ),
  "subscriptionForbidden subscriptions.list": access(
    "These subscriptions are private. Only the channel's owner can see them.",
    "subscriptions_private",
  ),
  publisherNotFound: input("The channel to subscribe to can't be found. It may have been closed."),
  publisherRequired: input("Choose the channel to subscribe to."),
  subscriberNotFound: input("There is no channel behind this account or this name."),
  "subscriberNotFound subscriptions.insert": connect(
    "This account has no channel. Link an account that has one.",
    "no_channel",
  ),
  accountClosed: access(
    "That account was closed, so its subscriptions are gone.",
    "channel_closed",
  ),
  accountSuspended: access(
    "That account is suspended, so its subscriptions can't be seen.",
    "channel_suspended",
  ),

  channelMembershipsNotEnabled: access(
    "This channel has no memberships. Its owner can switch them on where the service offers them.",
  ),
  invalidMode: input("That list of members can't be gone on with. Start over."),
  "invalidPageToken members.list": input("This place in the list of members is lost. Start over."),
  invalidHasAccessToLevel: input("There is no such level of membership. Choose another one."),
  invalidFilterByMemberChannelId: input("At most 100 members can be named at once. Name fewer."),
};
