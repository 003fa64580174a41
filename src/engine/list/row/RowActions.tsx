import { useRecordContext } from 'react-admin'
import { isReadOnly, mayOn } from '../../../schemas/define/access.ts'
import { useAddresses, useScreen } from '../../define/screen.ts'
import { IconAction, IconLink } from '../../parts/IconAction.tsx'
import { EditIcon, MoreIcon } from '../../parts/LineIcon.tsx'
import { useRowMenu } from './RowMenu.tsx'

/** Pages and Edit as icons, everything else in the list's menu. What a person may not do is absent. */
export function RowActions() {
  const addresses = useAddresses()
  const { allowed, definition, offers, rowActions, texts, translate } = useScreen()
  const record = useRecordContext()
  const openMenu = useRowMenu()
  if (!record) return null
  const name = texts.nameOf(record)
  const pages = mayOn(record, 'act') ? definition.pages : []
  return (
    <>
      {pages.map(({ path, labelKey, Icon }) => {
        const label = translate(labelKey, { name })
        const to = addresses.page(path, record.id)
        return (
          <IconLink key={path} to={to} target="_blank" rel="noopener" aria-label={label} title={label}>
            <Icon />
          </IconLink>
        )
      })}
      {rowActions.includes('edit') && offers('edit', record) ? (
        <IconLink to={addresses.edit(record.id)} aria-label={translate('app.action.edit_named', { name })}>
          <EditIcon />
        </IconLink>
      ) : null}
      {(allowed('create') && !isReadOnly(record)) ||
      rowActions.some((action) => action !== 'edit' && offers(action, record)) ? (
        <IconAction
          type="button"
          aria-haspopup="menu"
          aria-label={translate('app.list.actions_for', { name })}
          onClick={(event) => openMenu(event.currentTarget, record)}
        >
          <MoreIcon />
        </IconAction>
      ) : null}
    </>
  )
}
