import MoreHoriz from '@mui/icons-material/MoreHoriz'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { LinkBase, type RaRecord, useLocation } from 'react-admin'
import { useStartAction } from '../../engine/actions/ActionRunner.tsx'
import { type FormState, useAddresses, useScreen } from '../../engine/define/screen.ts'
import { EditIcon } from '../../engine/parts/LineIcon.tsx'
import { MenuButton } from '../MenuButton.tsx'

/**
 * What can be done with the record, as in its row of the list. Only deleting is left to the list: there is nothing here
 * to see afterwards.
 * @param children buttons before these
 */
export function OverviewActions({ record, children }: { record: RaRecord; children: ReactNode }) {
  const { offers, rowActions, texts, translate } = useScreen()
  const addresses = useAddresses()
  const { pathname, search } = useLocation()
  const start = useStartAction()
  const name = texts.nameOf(record)
  const openedFrom = `${pathname}${search}`
  const others = rowActions.filter((action) => typeof action !== 'string' && offers(action, record))
  return (
    <Buttons>
      {children}
      {rowActions.includes('edit') && offers('edit', record) ? (
        <Button
          component={LinkBase}
          to={{ pathname: addresses.edit(record.id).pathname }}
          state={{ openedFrom } satisfies FormState}
          variant="contained"
          startIcon={<EditIcon />}
          aria-label={translate('app.action.edit_named', { name })}
        >
          {translate('app.overview.edit')}
        </Button>
      ) : null}
      {others.length > 0 ? (
        <MenuButton
          label={translate('app.list.actions_for', { name })}
          icon={<MoreHoriz fontSize="small" />}
          items={others.map((action) => {
            const key = typeof action === 'string' ? action : action.action
            return { key, label: texts.action(key, 'label'), onSelect: () => start(action as never, [record], 'row') }
          })}
        />
      ) : null}
    </Buttons>
  )
}

const Buttons = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1),
}))
