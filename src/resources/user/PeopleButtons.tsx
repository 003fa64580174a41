import { useTranslate } from 'react-admin'
import { DialogButton } from '../../components/DialogButton.tsx'
import { useSetting } from '../../components/useSetting.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'

const InviteDialog = lazyPart(() => import('./InviteDialog.tsx'))
const TeamsDialog = lazyPart(() => import('./TeamsDialog.tsx'))
const OwnRolesDialog = lazyPart(() => import('./OwnRolesDialog.tsx'))

/** Opens the dialog for inviting people. Nezha servers have no invitations. */
export function InviteButton() {
  const translate = useTranslate()
  if (!useSetting()?.wheelhouse?.people) return null
  return <DialogButton label={translate('app.invitations.invite')} dialog={InviteDialog} />
}

/** Opens the roles that people made. */
export function OwnRolesButton() {
  const translate = useTranslate()
  if (!useSetting()?.wheelhouse?.roles) return null
  return <DialogButton label={translate('app.roles.own')} dialog={OwnRolesDialog} />
}

/** Opens the teams. */
export function TeamsButton() {
  const translate = useTranslate()
  if (!useSetting()?.wheelhouse?.roles) return null
  return <DialogButton label={translate('app.teams.title')} dialog={TeamsDialog} />
}
