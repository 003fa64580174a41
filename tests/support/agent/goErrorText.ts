const texts: Record<string, string> = {
  ENOENT: 'no such file or directory',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
  EACCES: 'permission denied',
  ENOTEMPTY: 'directory not empty',
  ENOSPC: 'no space left on device',
}

/** An error of the system in the words of the agents' language. */
export function goErrorText(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return texts[code] ?? message
}

/** The same in answers to the tasks 15 to 20. */
export const fileCallErrorText = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'file or directory does not exist' : goErrorText(error)
