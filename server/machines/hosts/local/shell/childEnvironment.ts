import os from 'node:os'

const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Windows programs do not start without these. */
const requiredOnWindows = ['SystemRoot', 'SystemDrive', 'ComSpec', 'PATHEXT', 'PATH', 'TEMP', 'TMP', 'USERPROFILE']

/** The environment of shells and commands: the account, and nothing of the server's own environment. */
export function childEnvironment(): Record<string, string> {
  const { username, homedir, shell } = account()
  if (process.platform === 'win32') {
    return Object.fromEntries(requiredOnWindows.map((name) => [name, process.env[name] ?? '']))
  }
  return {
    HOME: homedir,
    PATH: process.platform === 'darwin' ? `/opt/homebrew/bin:${defaultPath}` : defaultPath,
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
    // In a container the user id may have no account.
    return { username: String(process.getuid?.() ?? ''), homedir: os.homedir(), shell: null }
  }
}
