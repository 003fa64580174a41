/** Marks in npm's output, the most telling first, and what they mean to the person who waits. */
const causes = /** @type {[RegExp, string][]} */ ([
  [/ENOSPC/, 'the disk is full. Free about 1 GB and run the command again.'],
  [/\b(EACCES|EPERM|EROFS)\b/, 'the project folder cannot be written. Give yourself the right to, and run it again.'],
  [
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|EHOSTUNREACH)\b/,
    "npm's registry cannot be reached. Check the network, or npm's registry and proxy settings, and run it again.",
  ],
  [/\b(CERT_|SELF_SIGNED|UNABLE_TO_)/, "the registry's certificate is not trusted. Check npm's `cafile` setting."],
  [/\bE40[13]\b/, "the registry refuses access. Check npm's registry settings and sign-in."],
  [/\b(E404|ETARGET)\b/, "the registry does not have a needed package. Check npm's registry setting."],
  [/EINTEGRITY/, 'a package differs from what the lockfile promises. Run `npm cache clean --force` and try again.'],
  [/EUSAGE/, 'package.json and package-lock.json disagree. Run `npm install` to bring them together.'],
])

/**
 * One sentence on why `npm ci` failed and what to do.
 *
 * @param {string} output everything npm wrote
 */
export function explainNpm(output) {
  const cause = causes.find(([mark]) => mark.test(output))
  const code = output.match(/npm (?:error|ERR!) code (\S+)/)?.[1]
  return `Installing packages failed${code ? ` (${code})` : ''}: ${cause?.[1] ?? 'npm did not finish.'}`
}
