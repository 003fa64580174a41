import os from 'node:os'

const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Without these no program starts there. */
const neededOnWindows = ['SystemRoot', 'SystemDrive', 'ComSpec', 'PATHEXT', 'PATH', 'TEMP', 'TMP', 'USERPROFILE']

/** What programs that people start get to know: who they run as. Nothing of the server's own environment. */
export function freshEnvironment(): Record<string, string> {
  const { username, homedir, shell } = account()
  if (process.platform === 'win32') {
    return Object.fromEntries(neededOnWindows.map((name) => [name, process.env[name] ?? '']))
  }
  return {
    HOME: homedir,
    PATH: process.platform === 'darwin' ? `/opt/homebrew/bin:${usualPath}` : usualPath,
    LANG: process.env.LANG || 'C.UTF-8',
    TERM: 'xterm-256color',
    SHELL: shell || '/bin/sh',
    USER: username,
  }
}

function account(): { username: string; homedir: string; shell: string | null } {
  try {
    return os.userInfo()
  } catch {
    // A container may run as a number that has no account.
    return { username: String(process.getuid?.() ?? ''), homedir: os.homedir(), shell: null }
  }
}
