import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from '../../support/root.ts'
import { hasNamespaces } from '../../support/server/process/namespaces.ts'

const script = join(root, 'tests/support/server/process/ownAddressScript.ts')
/** In a network of its own, where this machine has a public address. */
const inNamespace = 'ip link set lo up && ip addr add 8.8.4.4/32 dev lo && exec "$0" "$1"'

const refused = {
  error: expect.stringMatching(/^HTTP URL target is not allowed: it lies in a network behind this server/),
}

it.runIf(hasNamespaces)(
  'a member’s notifier cannot reach this machine through its own public address, also a new one; an administrator’s can',
  async () => {
    const args = ['--map-root-user', '--net', 'sh', '-c', inNamespace, process.execPath, script]
    const { stdout } = await promisify(execFile)('unshare', args)
    expect(JSON.parse(stdout)).toEqual({
      ofMember: [refused, refused, refused],
      hitsByMember: 0,
      ofAdmin: { success: true, data: 1 },
      hitsByAdmin: 1,
      before: 'called',
      after: ['refused', 'refused', 'refused', 'called'],
    })
  },
)
