import type { RaRecord } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { WriteMeta } from '../../records/writeRecords.ts'
import { allows, isReadOnly } from '../../schemas/define/access.ts'
import { entities } from '../../schemas/index.ts'
import type { MemberOf } from '../define/defineResource.ts'
import { useScreen } from '../define/screen.ts'
import { useIdentity } from '../parts/identity.tsx'

/** The value of a form that says in which groups its record shall be, as ids; `null` while nobody has chosen. */
export const memberOfField = 'member_of'

/** The groups that the form of this screen offers, where this person may change such groups. */
export function useMemberOf(): MemberOf | undefined {
  const { memberOf } = useScreen().definition
  const { identity } = useIdentity()
  return memberOf && allows(identity?.role, entities[memberOf.entity].access.update) ? memberOf : undefined
}

/** The ids of the groups that have a record among their members. */
export function groupsWith(groups: readonly RaRecord[], { members }: MemberOf, id: RaRecord['id']): number[] {
  return groups.filter((group) => membersIn(group, members).includes(Number(id))).map((group) => Number(group.id))
}

/**
 * Writes the groups that a record joins or leaves, one after the other, as they are on the server now. Those that this
 * person may not change stay as they are.
 * @param id of the record
 * @param wanted the ids of the groups that shall have it
 * @throws HttpError of the first write that the server refuses
 */
export async function joinGroups(
  provider: ConsoleDataProvider,
  { entity, members }: MemberOf,
  id: RaRecord['id'],
  wanted: readonly number[],
  meta: WriteMeta,
): Promise<void> {
  const member = Number(id)
  for (const group of await provider.reload(entity)) {
    const before = membersIn(group, members)
    const joins = wanted.includes(Number(group.id))
    if (isReadOnly(group) || joins === before.includes(member)) continue
    const after = joins ? [...before, member] : before.filter((other) => other !== member)
    await provider.update(entity, { id: group.id, data: { [members]: after }, previousData: group, meta })
  }
}

const membersIn = (group: RaRecord, members: string): number[] => group[members] ?? []
