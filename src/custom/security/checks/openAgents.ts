import { type Check, findingAbout, links, nameOf } from './check.ts'

/** Agents whose own setting does not forbid something. */
const agentsWithout = (setting: string): Check['find'] =>
  function find({ servers, agents }) {
    if (!agents?.size) return 'unknown'
    const open = servers.filter(({ id }) => agents.has(id) && agents.get(id)?.[setting] !== true)
    const noteKey = agents.size < servers.length ? 'app.security.agents_silent' : undefined
    return findingAbout(
      open.map((server) => ({ label: nameOf(server) })),
      noteKey,
    )
  }

export const agentsWithCommands: Check = {
  name: 'agents_with_commands',
  severity: 'info',
  link: links.servers,
  needsAgents: true,
  find: agentsWithout('disable_command_execute'),
}

export const agentsWithNat: Check = {
  name: 'agents_with_nat',
  severity: 'info',
  link: links.servers,
  needsAgents: true,
  find: agentsWithout('disable_nat'),
}
