const folderName = 'downloads'
/** The browser copies an offered file for an unknown time and does not report its end; ms. */
const maxAgeMs = 60 * 60_000

/** A unique name for a download in the origin private file system; it begins with the time in ms. */
export const newPrivateName = (now = Date.now()): string => `${now}-${crypto.randomUUID()}`

const privateFolder = async () =>
  (await navigator.storage.getDirectory()).getDirectoryHandle(folderName, { create: true })

/** Whether the browser has an origin private file system: it needs HTTPS or localhost, and no private window. */
export async function hasPrivateFiles(): Promise<boolean> {
  try {
    await privateFolder()
    return true
  } catch {
    // Refused: there is none.
    return false
  }
}

export async function privateFile(name: string) {
  const folder = await privateFolder()
  return { handle: await folder.getFileHandle(name, { create: true }), remove: () => folder.removeEntry(name) }
}

/** What is here of a download that was interrupted; `undefined` when it has gone. */
export async function beginningOf(name: string): Promise<File | undefined> {
  try {
    return await (await (await privateFolder()).getFileHandle(name)).getFile()
  } catch {
    return undefined
  }
}

/**
 * Removes old downloads that the browser has copied, or that were interrupted when the page was closed.
 * @param kept names of those that can go on
 */
export async function clearPrivateFiles(kept: readonly string[], now = Date.now()): Promise<void> {
  if (!(await hasPrivateFiles())) return
  const folder = await privateFolder()
  for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) {
    if (now - Number.parseInt(name, 10) > maxAgeMs && !kept.includes(name)) await folder.removeEntry(name)
  }
}
