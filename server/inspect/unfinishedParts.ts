import { randomBytes } from 'node:crypto'
import { fileLimits } from '../../src/schemas/inspect/files.ts'
import { type Programs, Silence } from './machine/programs.ts'
import { type Order, succeed } from './orders.ts'
import { readPaths } from './subjects/filePaths.ts'

/** Seconds after which what has the name of a part is left over: no order lasts longer than five minutes. */
const leftOverSeconds = 86_400

const hexDigits = '[0-9a-f]'.repeat(16)
const anyLetters = '[0-9A-Za-z]'.repeat(6)

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
part=$(mktemp -u -- "\${to%/*}/.wheelhouse-new-$order-XXXXXX") || exit 1
trap 'rm -rf -- "$part"; exit 1' HUP INT TERM
if [ "\${to%/*}/" != "$swept" ]; then
  swept="\${to%/*}/"
  find "$swept" -maxdepth 1 -name '.wheelhouse-new-${hexDigits}-${anyLetters}' -user "$(id -u)" ! -type l -exec sh -c '
    for left do
      changed=$(stat -c %Z "$left") || continue
      [ $(($(date +%s) - changed)) -le ${leftOverSeconds} ] || rm -rf -- "$left"
    done
  ' sh {} + > /dev/null 2>&1
fi
`

/** `$1` is the order, then come targets. */
const removalScript = `${readPaths}
order=$1
shift
for to; do
  for part in "\${to%/*}/.wheelhouse-new-$order-"*; do rm -rf -- "$part"; done
done
`

/**
 * Runs a script that makes parts by `partBeside`. What runs for too long is killed, and could leave most of the disk
 * filled by what nobody can use: its parts are removed then.
 * @param targets what its parts become
 */
export const orderedWithParts =
  (script: string, args: readonly string[], targets: readonly string[]): Order =>
  async (programs: Programs) => {
    const order = randomBytes(8).toString('hex')
    const limits = { seconds: fileLimits.seconds }
    try {
      await succeed(programs.script(`${readPaths}order=$1\nshift\n${script}`, [order, ...args], limits))
    } catch (error) {
      if (error instanceof Silence && error.silence === 'timeout') {
        // What cannot be removed now goes with a later order.
        await programs.script(removalScript, [order, ...targets], limits).catch(() => {})
      }
      throw error
    }
  }
