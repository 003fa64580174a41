import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { createContext, type ReactNode, use, useMemo, useState } from 'react'
import { type RaRecord, useNavigate } from 'react-admin'
import { isReadOnly } from '../../../../schemas/define/readOnly.ts'
import { useStartAction } from '../../actions/ActionRunner.tsx'
import { useAddresses, useScreen } from '../../define/screen.ts'
import type { DuplicateState } from '../../form/duplicate.ts'
import { useOrder } from '../../order/OrderByHand.tsx'

type OpenMenu = (anchor: HTMLElement, record: RaRecord) => void

const RowMenuContext = createContext<OpenMenu>(() => {})

/** Opens the list's one menu at a row's button. */
export const useRowMenu = () => use(RowMenuContext)

const moves = ['top', 'up', 'down'] as const

/** One menu for all rows of a list: a menu per row would be the most expensive part of the table. */
export function RowMenu({ children }: { children: ReactNode }) {
  const { translate, texts, rowActions, offers, allowed } = useScreen()
  const addresses = useAddresses()
  const navigate = useNavigate()
  const start = useStartAction()
  const { isSorted, move } = useOrder()
  const [opened, setOpened] = useState<{ anchor: HTMLElement; record: RaRecord }>()
  const open = useMemo<OpenMenu>(() => (anchor, record) => setOpened({ anchor, record }), [])
  const close = () => setOpened(undefined)
  return (
    <RowMenuContext value={open}>
      {children}
      <Menu anchorEl={opened?.anchor} open={Boolean(opened)} onClose={close}>
        {opened && allowed('create') ? (
          <MenuItem
            onClick={() => {
              close()
              navigate(addresses.create, { state: { duplicate: opened.record.id } satisfies DuplicateState })
            }}
          >
            {translate('app.action.duplicate')}
          </MenuItem>
        ) : null}
        {opened && isSorted && !isReadOnly(opened.record)
          ? moves.map((to) => (
              <MenuItem
                key={to}
                onClick={() => {
                  close()
                  move(opened.record.id, to)
                }}
              >
                {translate(`app.order.${to}`)}
              </MenuItem>
            ))
          : null}
        {rowActions.map((action) => {
          if (!opened || action === 'edit' || !offers(action, opened.record)) return null
          const label = action === 'delete' ? translate('app.action.delete') : texts.action(action.action, 'label')
          return (
            <MenuItem
              key={label}
              sx={{ color: action === 'delete' ? 'error.main' : undefined }}
              onClick={() => {
                close()
                start(action, [opened.record], 'row')
              }}
            >
              {label}
            </MenuItem>
          )
        })}
      </Menu>
    </RowMenuContext>
  )
}
