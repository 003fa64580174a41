import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { root } from '../root.ts'

/** What every launch needs: root in a container has no sandbox, and a test machine has no graphics card. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
  '--disable-component-update',
  '--disable-sync',
] as const

/**
 * For tests that open many pages for a few seconds each. What compiles hot code pays off for pages that stay longer, as
 * does a heap of new objects that begins with 1 MiB and is collected until it has grown, and a page would begin in a
 * process that it leaves at its first address.
 */
export const shortLivedArgs = [
  '--js-flags=--no-maglev,--no-opt,--min-semi-space-size=32',
  '--disable-site-isolation-trials',
  '--renderer-process-limit=1',
] as const

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const cacheFolder = resolve(root, 'node_modules/.cache/chromium')

/** The package's own file names folders of a cloud function; without fonts every text would be 0 pixels high. */
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/**
 * The path of a Chromium or Chrome: `$CHROMIUM`, else the one from npm, unpacked once, else one of this system. The one
 * from npm has no windows at all; a page in the headless mode of others takes half as much of a processor again.
 *
 * @throws Error with one sentence that says how to get a browser.
 */
export async function findChromium(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const chosen = env.CHROMIUM
  if (chosen) {
    if (isExecutable(chosen)) return chosen
    throw new Error(`CHROMIUM names ${chosen}, which is not a program that can be started; correct it or unset it.`)
  }
  const found = (await fromPackage()) ?? onPath(env) ?? macPaths.find(isExecutable)
  if (found) return found
  const advice = 'Install Chromium or Google Chrome, or set CHROMIUM to the path of one, and run the tests again.'
  throw new Error(`No browser was found. ${advice}`)
}

function onPath(env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The browser that @sparticuz/chromium carries, where it starts: it is built for Linux on x64 and nothing else. */
async function fromPackage(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const program = join(cacheFolder, 'chromium')
  try {
    if (!existsSync(program)) await unpack()
    startOnce(program)
  } catch {
    return undefined
  }
  return program
}

/**
 * The package takes any file that lies in the temporary folder for a finished one, so it unpacks into a folder of its
 * own, which gets its final name only when everything is there.
 */
async function unpack(): Promise<void> {
  mkdirSync(dirname(cacheFolder), { recursive: true })
  const folder = mkdtempSync(`${cacheFolder}-`)
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    const { default: chromium, inflate } = await import('@sparticuz/chromium')
    const packages = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'))
    await chromium.executablePath()
    await inflate(join(packages, '..', 'bin', 'al2023.tar.br'))
    writeFileSync(join(folder, 'fonts.conf'), fontsConf)
    rmSync(cacheFolder, { recursive: true, force: true })
    renameSync(folder, cacheFolder)
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Tries the browser; on a system without its libraries once more with those that the package brings along. */
function startOnce(program: string): void {
  process.env.FONTCONFIG_FILE ??= join(cacheFolder, 'fonts.conf')
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
  } catch {
    const own = join(cacheFolder, 'al2023', 'lib')
    process.env.LD_LIBRARY_PATH = [own, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
    execFileSync(program, ['--version'], { stdio: 'ignore' })
  }
}
