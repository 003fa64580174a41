import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { FormDialog } from '../../components/FormDialog.tsx'
import { PlainTable } from '../../components/Panel.tsx'
import { QuestionDialog } from '../../components/QuestionDialog.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { describedBy, FieldFrame, type InputProps, useField } from '../../engine/kinds/parts/kind.tsx'
import { ActionDialog, CloseFooter, PendingData, useToast } from '../../engine/parts/ActionDialog.tsx'
import { type Right, rights, roleForm } from '../../schemas/define/access.ts'
import { ownRole, type Role, roleEndpoints } from '../../schemas/endpoints/roleAndTeamEndpoints.ts'
import { rightsInWords } from './names.ts'

/** A role that people made: its id is a number. */
type OwnRole = Role & { id: number }
const isOwn = (role: Role): role is OwnRole => typeof role.id === 'number'

/** The roles that people made: what each lets somebody do, who has it; made, changed and deleted here. */
export default function OwnRolesDialog({ onClose }: { onClose: () => void }) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const { data, error, refetch } = useQuery({ queryKey: ['roles'], queryFn: () => call(roleEndpoints.roles) })
  const [edited, setEdited] = useState<OwnRole | 'new'>()
  const [deleted, setDeleted] = useState<OwnRole>()
  const own = data?.roles.filter(isOwn) ?? []
  const holdersOf = ({ id }: OwnRole) =>
    (data?.people ?? []).filter(({ roles }) => roles.some(({ role }) => role === id)).map(({ username }) => username)
  const what = (name: string) => translate('app.confirm.quoted', { name })

  async function remove({ id, name }: OwnRole) {
    setDeleted(undefined)
    try {
      await call(roleEndpoints.deleteRole, { id })
      toast.show({ key: 'app.toast.deleted', args: { what: what(name) } })
    } catch (failure) {
      toast.showError(failure)
    }
    await refetch()
  }

  return (
    <ActionDialog title={translate('app.roles.own')} onClose={onClose} width={800}>
      <DialogContent dividers>
        <p style={{ marginTop: 0 }}>{translate('app.roles.own_hint')}</p>
        <PendingData data={data} error={error} onRetry={refetch} />
        {own.length > 0 ? (
          <PlainTable
            headings={[...['name', 'rights', 'holders'].map((field) => translate(`app.roles.fields.${field}`)), '']}
            rows={own.map((role) => ({
              key: role.id,
              cells: [
                role.name,
                rightsInWords(role.rights, translate),
                holdersOf(role).join(', ') || '—',
                <div key="actions">
                  <Button
                    aria-label={translate('app.action.edit_named', { name: role.name })}
                    onClick={() => setEdited(role)}
                  >
                    {translate('ra.action.edit')}
                  </Button>
                  <Button
                    color="error"
                    aria-label={translate('app.action.delete_named', { name: role.name })}
                    onClick={() => setDeleted(role)}
                  >
                    {translate('app.action.delete')}
                  </Button>
                </div>,
              ],
            }))}
          />
        ) : null}
        {data ? (
          <Button variant="contained" sx={{ marginTop: 2 }} onClick={() => setEdited('new')}>
            {translate('app.roles.create')}
          </Button>
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
      {edited ? (
        <RoleForm
          role={edited === 'new' ? undefined : edited}
          onSaved={() => void refetch()}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
      {deleted ? (
        <DeleteQuestion
          what={what(deleted.name)}
          holders={holdersOf(deleted)}
          onConfirm={() => void remove(deleted)}
          onCancel={() => setDeleted(undefined)}
        />
      ) : null}
    </ActionDialog>
  )
}

interface RoleFormProps {
  /** Absent for a new one. */
  role?: OwnRole
  onSaved: () => void
  onClose: () => void
}

function RoleForm({ role, onSaved, onClose }: RoleFormProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  return (
    <FormDialog
      title={role ? translate('app.action.edit_named', { name: role.name }) : translate('app.roles.create')}
      entity={ownRole}
      values={role ? { name: role.name, rights: role.rights } : { rights: ['see'] }}
      inputsByField={{ rights: RightsInput }}
      labelOf={(field) => translate(`app.roles.fields.${field}`)}
      helpOf={() => ''}
      submitLabel={translate('app.action.save')}
      onSubmit={async (values) => {
        const form = roleForm.parse(values)
        if (role) {
          const { roles } = await call(roleEndpoints.roles)
          const present = roles.find(({ id }) => id === role.id) ?? role
          await call(roleEndpoints.updateRole, { id: role.id, ...withChanges(present, role, form) })
        } else {
          await call(roleEndpoints.createRole, form)
        }
        toast.show({ key: 'app.roles.saved' })
        onSaved()
      }}
      onClose={onClose}
    />
  )
}

/** A role as it is now, with what was changed of the one that was opened: a right that somebody else took stays taken. */
function withChanges(present: RoleValues, opened: RoleValues, form: RoleValues): RoleValues {
  const wanted = (right: Right) => {
    const isChanged = form.rights.includes(right) !== opened.rights.includes(right)
    return (isChanged ? form : present).rights.includes(right)
  }
  return { name: (form.name === opened.name ? present : form).name, rights: rights.filter(wanted) }
}

type RoleValues = Pick<Role, 'name' | 'rights'>

/** A box for each right, with what it means. Who has any right sees as well. */
function RightsInput({ field: description, label }: InputProps) {
  const translate = useTranslate()
  const { id, field, error } = useField<readonly string[]>(description)
  return (
    <FieldFrame id={id} label={label} required error={error}>
      <FormGroup id={id} role="group" aria-label={label} aria-describedby={describedBy(id)}>
        {rights.map((right) => (
          <FormControlLabel
            key={right}
            control={<Checkbox size="small" />}
            checked={right === 'see' || field.value.includes(right)}
            disabled={right === 'see'}
            onChange={(_, isGiven) =>
              field.onChange(rights.filter((one) => (one === right ? isGiven : field.value.includes(one))))
            }
            label={`${translate(`app.roles.rights.${right}`)}: ${translate(`app.roles.rights_help.${right}`)}`}
            sx={{ alignItems: 'flex-start', marginBottom: 0.5, '& .MuiFormControlLabel-label': { paddingTop: 0.75 } }}
          />
        ))}
      </FormGroup>
    </FieldFrame>
  )
}

interface DeleteQuestionProps {
  /** The role, in quotation marks. */
  what: string
  /** Who has it: the server deletes no role that somebody has. */
  holders: readonly string[]
  onConfirm: () => void
  onCancel: () => void
}

function DeleteQuestion({ what, holders, onConfirm, onCancel }: DeleteQuestionProps) {
  const translate = useTranslate()
  if (holders.length > 0) {
    return (
      <ActionDialog title={translate('app.confirm.delete_title', { what })} onClose={onCancel} width={560}>
        <DialogContent sx={{ overflowWrap: 'anywhere' }}>
          {translate('app.roles.held', { names: holders.join(', ') })}
        </DialogContent>
        <CloseFooter onClose={onCancel} />
      </ActionDialog>
    )
  }
  return (
    <QuestionDialog
      title={translate('app.confirm.delete_title', { what })}
      button={translate('app.confirm.delete_button', { what })}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      {translate('app.roles.not_held')} {translate('app.confirm.irreversible')}
    </QuestionDialog>
  )
}
