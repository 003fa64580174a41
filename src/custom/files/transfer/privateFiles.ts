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

/** Removes old downloads that the browser has copied, or that were interrupted when the page was closed. */
export async function clearPrivateFiles(now = Date.now()): Promise<void> {
  if (!(await hasPrivateFiles())) return
  const folder = await privateFolder()
  for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) {
    if (now - Number.parseInt(name, 10) > maxAgeMs) await folder.removeEntry(name)
  }
}
