import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { PlainTable } from '../../components/PlainTable.tsx'
import { MomentCell } from '../../engine/kinds/cells.tsx'
import { ActionDialog, CloseFooter } from '../../engine/parts/ActionDialog.tsx'
import type { GivenRole, Role } from '../../schemas/endpoints/roleEndpoints.ts'
import type { TeamRole } from '../../schemas/endpoints/teamEndpoints.ts'
import { NewRole, useScopeNames } from './NewRole.tsx'
import { useRoleNames } from './names.ts'

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
  /**
   * Whose they are. A team may have a role for its servers. Those of an invitation are given with it, by who makes it: a
   * further one is chosen in a dialog of its own, so that a choice that was not given is not taken for one that was.
   */
  of?: 'person' | 'team' | 'invitation'
  isBusy: boolean
  /** Whether it is for the person who asks to change them. */
  mayChange: boolean
  onTake: (assignment: TeamRole) => void
  onGive: (assignment: TeamRole) => void
}

/** The roles of a person or a team, with where they hold: taken away one by one, and further ones given. */
export function AssignedRoles({ given, byTeams = [], roles, mayChange, isBusy, ...props }: AssignedRolesProps) {
  const { of = 'person', onTake, onGive } = props
  const translate = useTranslate()
  const nameOfScope = useScopeNames()
  const nameOf = useRoleNames(roles)
  const [isChoosing, setChoosing] = useState(false)
  // Empty again once a role was given.
  const choice = (
    <NewRole
      key={JSON.stringify(given)}
      roles={roles}
      isOfTeam={of === 'team'}
      isBusy={isBusy}
      onGive={(assignment) => {
        setChoosing(false)
        onGive(assignment)
      }}
    />
  )
  const own = given.map(({ given_by, given_at, ...assignment }) => ({
    key: JSON.stringify(assignment),
    cells: [
      nameOf(assignment.role),
      nameOfScope(assignment),
      ...(of === 'person'
        ? [
            <span key="given">
              {given_by || translate('app.roles.giver_unknown')}
              {given_at ? (
                <small style={{ display: 'block' }}>
                  <MomentCell value={given_at} entity="user" />
                </small>
              ) : null}
            </span>,
          ]
        : []),
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
            ...(of === 'person' ? [translate('app.roles.given_by')] : []),
            '',
          ]}
          rows={[...own, ...ofTeams]}
        />
      ) : null}
      {mayChange && of !== 'invitation' ? choice : null}
      {mayChange && of === 'invitation' ? (
        // On a line of its own, apart from the button that ends the dialog's work.
        <div style={{ marginBlock: 8 }}>
          <Button variant="outlined" disabled={isBusy} onClick={() => setChoosing(true)}>
            {translate('app.roles.give')}
          </Button>
        </div>
      ) : null}
      {isChoosing ? (
        <ActionDialog title={translate('app.roles.give')} onClose={() => setChoosing(false)}>
          <DialogContent dividers>{choice}</DialogContent>
          <CloseFooter onClose={() => setChoosing(false)} />
        </ActionDialog>
      ) : null}
    </>
  )
}
