/**
 * Whether an agent is older than a version. One without a version, or with a text that is none, as self-built agents
 * have, counts as new (docs/contract/AGENT.md#11-older-agents).
 * @param minimum as `2.0.4`
 */
export function isOlderThan(version: string, minimum: string): boolean {
  const [own, required] = [numbersOf(version), numbersOf(minimum)]
  if (!own || !required) return false
  for (const [index, number] of required.entries()) {
    const difference = (own[index] as number) - number
    if (difference !== 0) return difference < 0
  }
  return false
}

function numbersOf(version: string): number[] | undefined {
  return /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
}
