import { type Check, findingAbout, links } from './check.ts'

const daySeconds = 86_400
/** Failed sign-ins with a password and with a provider (docs/contract/CONTRACT.md#6-enumerations). */
const reasons = [1, 5]

/** The audit log has all failures; the list of blocked addresses only those not followed by a successful sign-in. */
export const failedSignIns: Check = {
  name: 'failed_sign_ins',
  severity: 'info',
  link: links.blocks,
  find({ server, blocks, now }) {
    const noteKey = server && !server.complete ? 'app.security.log_too_long' : undefined
    if (server) {
      return findingAbout(
        server.failed_sign_ins.map(({ address, count }) => ({ label: address || '?', count })),
        noteKey,
      )
    }
    const since = now / 1000 - daySeconds
    const recent = blocks.filter(
      ({ block_reason = 0, block_timestamp = 0 }) => reasons.includes(block_reason) && block_timestamp >= since,
    )
    return findingAbout(recent.map(({ ip, count }) => ({ label: ip, count })))
  },
}
