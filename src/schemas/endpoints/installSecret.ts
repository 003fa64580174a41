import type { Profile } from '../account/profile.ts'
import { roles } from '../define/access.ts'
import type { Setting } from '../settings/setting.ts'

/**
 * What a new agent proves itself with. Servers up to v1.9 tell administrators the key of the whole site, and what
 * registers with it is nobody's; elsewhere everybody has a secret of their own.
 */
export function installSecret({ config }: Setting, { role, agent_secret }: Profile): string | undefined {
  const shared = config.agent_secret_key
  return role === roles.admin && typeof shared === 'string' && shared !== '' ? shared : agent_secret
}
