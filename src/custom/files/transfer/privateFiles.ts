const folderName = 'downloads'
/** A file that is handed over is still being copied by the browser, which never says when it is done; ms. */
const keptFor = 60 * 60_000

/** A name for one download in the browser's own storage; two of the same file never meet. */
export const newPrivateName = (now = Date.now()): string => `${now}-${crypto.randomUUID()}`

const privateFolder = async () =>
  (await navigator.storage.getDirectory()).getDirectoryHandle(folderName, { create: true })

/** Whether this browser has a storage of its own for us: it needs HTTPS or localhost, and no private window. */
export async function hasPrivateFiles(): Promise<boolean> {
  try {
    await privateFolder()
    return true
  } catch {
    // Being refused is the answer.
    return false
  }
}

export async function privateFile(name: string) {
  const folder = await privateFolder()
  return { handle: await folder.getFileHandle(name, { create: true }), remove: () => folder.removeEntry(name) }
}

/** Removes downloads of the past that the browser has long copied, or that were broken off with their page. */
export async function clearPrivateFiles(now = Date.now()): Promise<void> {
  if (!(await hasPrivateFiles())) return
  const folder = await privateFolder()
  for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) {
    if (now - Number.parseInt(name, 10) > keptFor) await folder.removeEntry(name)
  }
}
