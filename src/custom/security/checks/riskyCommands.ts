import { type Check, findingAbout, links, nameOf } from './check.ts'

const interpreter =
  '(?:[\\w/]{0,40}/)?(?:(?:ba|z|da|k|a|fi)?sh|python[\\d.]{0,5}|perl|ruby|node|php|iex|pwsh|powershell)\\b'
const asRoot = '(?:sudo\\s{1,9}(?:-\\w{1,9}\\s{1,9}){0,3})?(?:env\\s{1,9})?'

const download = /\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b/i
const decoding = /\bbase64\s{1,9}(?:-d|-D|--decode)\b/
const pipedToInterpreter = new RegExp(`\\|\\s{0,9}${asRoot}${interpreter}`, 'i')
const substituted = new RegExp(
  `(?:${interpreter}[^\\n;|&]{0,40}?|\\beval\\b|\\bsource\\b|(?:^|[\\s;])\\.)\\s{0,9}["']?(?:<\\(|\\$\\(|\`)\\s{0,9}(?:curl|wget)\\b`,
  'i',
)
/** The file that was fetched before it: made executable, given to an interpreter, or started. */
const started = new RegExp(
  `(?:;|&&|\\n)\\s{0,9}${asRoot}(?:chmod\\s{1,9}(?:\\S{0,9}\\+x|[0-7]?[1357][0-7]{2}|[0-7]?7[0-7]{2})\\b|${interpreter}\\s{1,9}(?!-c)\\S|\\.?/\\S)`,
  'i',
)

/** The text after the first match, so that each pattern reads a long command only once. */
function restAfter(text: string, pattern: RegExp): string | undefined {
  const at = text.search(pattern)
  return at < 0 ? undefined : text.slice(at)
}

/** Text key of the risk of a command; `undefined` without one. It only matches patterns, which can be evaded. */
export function riskOf(command: string): string | undefined {
  if (command.includes('authorized_keys')) return 'app.security.reasons.ssh_keys'
  const fetched = restAfter(command, download)
  if (fetched !== undefined) {
    const isRun = pipedToInterpreter.test(fetched) || started.test(fetched) || substituted.test(command)
    if (isRun) return 'app.security.reasons.download'
  }
  const decoded = restAfter(command, decoding)
  if (decoded !== undefined && pipedToInterpreter.test(decoded)) return 'app.security.reasons.encoded'
  return undefined
}

/** Commands that intruders typically store: ones that fetch their program, or give them access by SSH. */
export const riskyCommands: Check = {
  name: 'risky_commands',
  severity: 'error',
  link: links.tasks,
  find: ({ tasks }) =>
    findingAbout(
      tasks.flatMap((task) => {
        const reasonKey = riskOf(task.command ?? '')
        return reasonKey ? [{ label: nameOf(task), to: `cron/${task.id}`, reasonKey }] : []
      }),
    ),
}
