import { randomBytes } from 'node:crypto'
import { fileLimits } from '../../src/schemas/inspect/files.ts'
import { type Programs, Silence } from './machine/programs.ts'
import { type Order, succeed } from './orders.ts'
import { readPaths } from './subjects/filePaths.ts'

/** Seconds after which what has the name of a part is left over: no order lasts longer than five minutes. */
const leftOverSeconds = 86_400

const partPrefix = '.wheelhouse-new-'
const hexDigits = '[0-9a-f]'.repeat(16)
const anyLetters = '[0-9A-Za-z]'.repeat(6)

/**
 * A part that is removed gets another name first: an order that is still at work on it, because its clock or that of
 * another machine is wrong or its agent answers late, fails then, and what is half removed never gets the name of the whole.
 */
const partFunctions = `
partIn() { mktemp -u -- "$1/${partPrefix}$order-XXXXXX"; }
removePart() {
  gone=$(partIn "\${1%/*}") && mv -f -- "$1" "$gone" && set -- "$gone"
  rm -rf -- "$1"
}
removeLeftOver() (
  for left in "$1/"${partPrefix}${hexDigits}-${anyLetters}; do
    if [ -L "$left" ] || ! facts=$(stat -c '%u %Z' "$left"); then continue; fi
    changed=\${facts#* }
    # Some file systems do not know when: they say 0.
    if [ "\${facts% *}" = "$(id -u)" ] && [ "$changed" -gt 0 ] && [ $(($(date +%s) - changed)) -gt ${leftOverSeconds} ]; then
      removePart "$left"
    fi
  done
) > /dev/null 2>&1
`

/**
 * Sets `$part`, the name beside `$to` of what is not complete yet; `$order` tells the parts of one order from others.
 * Nothing is added to the name that it gets: that may have the 255 bytes that a name has room for. No one can know it
 * before, nor has it what an order left behind that was killed: something would be copied into what has it, or by way of
 * a link.
 *
 * An order that is told to end takes its part away. What is left of earlier ones all the same, as after a loss of power,
 * goes with the next order into the folder, before it needs the room: what has the whole form of such a name, belongs to
 * the same user and has not changed for a day, by the time that no copy takes from elsewhere.
 */
export const partBeside = `
part=$(partIn "\${to%/*}") || exit 1
trap 'rm -rf -- "$part"; exit 1' HUP INT TERM
if [ "$removes" = yes ] && [ "\${to%/*}/" != "$searched" ]; then
  searched="\${to%/*}/"
  removeLeftOver "\${to%/*}"
fi
`

/** Then come targets. */
const removalScript = `
for to; do
  for part in "\${to%/*}/${partPrefix}$order-"*; do removePart "$part"; done
done
`

/** `$1` is the order, `$2` whether it removes what earlier ones left. */
const beginning = `${readPaths}
order=$1 removes=$2 searched=
shift 2
${partFunctions}`

/**
 * Runs a script that makes parts by `partBeside`. What runs for too long is killed, and could leave most of the disk
 * filled by what nobody can use: its parts are removed then.
 * @param targets what its parts become
 */
export const orderedWithParts =
  (script: string, args: readonly string[], targets: readonly string[]): Order =>
  async (programs: Programs) => {
    const order = randomBytes(8).toString('hex')
    // Who takes something out of what is left wants to keep it.
    const removes = args.some((arg) => arg.includes(`/${partPrefix}`)) ? 'no' : 'yes'
    const run = (text: string, given: readonly string[]) =>
      programs.script(`${beginning}${text}`, [order, removes, ...given], { seconds: fileLimits.seconds })
    try {
      await succeed(run(script, args))
    } catch (error) {
      if (error instanceof Silence && error.silence === 'timeout') {
        // What cannot be removed now goes with a later order.
        await run(removalScript, targets).catch(() => {})
      }
      throw error
    }
  }
