import Button from '@mui/material/Button'
import { useTranslate } from 'react-admin'
import { PlainTable } from '../../components/PlainTable.tsx'
import { MomentCell } from '../../engine/kinds/moment/cell.tsx'
import type { RoleId } from '../../schemas/define/roles.ts'
import type { GivenRole, Role } from '../../schemas/endpoints/roleEndpoints.ts'
import type { TeamRole } from '../../schemas/endpoints/teamEndpoints.ts'
import { NewRole, useScopeNames } from './NewRole.tsx'
import { nameOfRole } from './roleNames.ts'

/** A role by a team, which is taken away there. */
export interface RoleByTeam {
  team: string
  assignment: TeamRole
}

/** Who gave a role, and when; '' for what is not known. */
type Gift = Partial<Pick<GivenRole, 'given_by' | 'given_at'>>

interface AssignedRolesProps {
  given: readonly (TeamRole & Gift)[]
  /** What a person has by teams. */
  byTeams?: readonly RoleByTeam[]
  /** All roles that there are. */
  roles: readonly Role[]
  /** Whether these are the roles of a team, which may be for the servers of the team. */
  isOfTeam?: boolean
  isBusy: boolean
  /** Whether it is for the person who asks to change them. */
  mayChange: boolean
  onTake: (assignment: TeamRole) => void
  onGive: (assignment: TeamRole) => void
}

/** The roles of a person or a team, with where they hold: taken away one by one, and further ones given. */
export function AssignedRoles({ given, byTeams = [], roles, mayChange, isBusy, ...props }: AssignedRolesProps) {
  const { isOfTeam = false, onTake, onGive } = props
  const translate = useTranslate()
  const nameOfScope = useScopeNames()
  const nameOf = (role: RoleId) => {
    const found = roles.find((one) => one.id === role)
    return found ? nameOfRole(found, translate) : `#${role}`
  }
  const own = given.map(({ given_by, given_at, ...assignment }) => ({
    key: JSON.stringify(assignment),
    cells: [
      nameOf(assignment.role),
      nameOfScope(assignment),
      ...(isOfTeam
        ? []
        : [
            <span key="given">
              {given_by || translate('app.roles.giver_unknown')}
              {given_at ? (
                <small style={{ display: 'block' }}>
                  <MomentCell value={given_at} entity="user" />
                </small>
              ) : null}
            </span>,
          ]),
      <Button
        key="take"
        color="error"
        disabled={isBusy || !mayChange}
        aria-label={`${translate('app.roles.take')}: ${nameOf(assignment.role)}`}
        onClick={() => onTake(assignment)}
      >
        {translate('app.roles.take')}
      </Button>,
    ],
  }))
  const ofTeams = byTeams.map(({ team, assignment }) => ({
    key: JSON.stringify([team, assignment]),
    cells: [nameOf(assignment.role), nameOfScope(assignment), '', translate('app.teams.by_team', { name: team })],
  }))
  return (
    <>
      {own.length + ofTeams.length > 0 ? (
        <PlainTable
          headings={[
            translate('resources.user.fields.role'),
            translate('app.roles.where'),
            ...(isOfTeam ? [] : [translate('app.roles.given_by')]),
            '',
          ]}
          rows={[...own, ...ofTeams]}
        />
      ) : null}
      {mayChange ? (
        // Empty again once a role was given.
        <NewRole key={JSON.stringify(given)} roles={roles} isOfTeam={isOfTeam} isBusy={isBusy} onGive={onGive} />
      ) : null}
    </>
  )
}
