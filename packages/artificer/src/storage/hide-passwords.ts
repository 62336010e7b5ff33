const secretParameters = /([?&](?:password|sslpassword|sslkey)=)[^&#]*/gi;

/** A URL as it may be shown: without the password, which may stand before the host or among the parameters. What is no URL stays as it is. */
export function hidePasswords(url: string): string {
  // Up to the last @: a password that should have been percent-encoded is one all the same.
  return url
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)(.*)@/is, (_, scheme: string, userinfo: string) => {
      const colon = userinfo.indexOf(":");
      return colon === -1 ? `${scheme}${userinfo}@` : `${scheme}${userinfo.slice(0, colon)}:***@`;
    })
    .replace(secretParameters, "$1***");
}
