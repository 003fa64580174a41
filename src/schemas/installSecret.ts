import { roles } from './access.ts'
import type { Profile } from './profile.ts'
import type { Setting } from './setting.ts'

/**
 * What a new agent proves itself with. Servers up to v1.9 tell administrators the key of the whole site, and what
 * registers with it is nobody's; elsewhere everybody has a secret of their own.
 */
export function installSecret({ config }: Setting, { role, agent_secret }: Profile): string | undefined {
  const shared = config.agent_secret_key
  return role === roles.admin && typeof shared === 'string' && shared !== '' ? shared : agent_secret
}
