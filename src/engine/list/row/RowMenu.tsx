import { createContext, type ReactNode, use, useMemo, useState } from 'react'
import { type RaRecord, useNavigate } from 'react-admin'
import { isReadOnly } from '../../../schemas/define/access.ts'
import { useStartAction } from '../../actions/ActionRunner.tsx'
import { useAddresses, useScreen } from '../../define/screen.ts'
import type { DuplicateState } from '../../form/duplicate.ts'
import { useOrder } from '../../order/OrderByHand.tsx'
import { LazyMenu } from '../../parts/LazyMenu.tsx'
import type { MenuOption } from '../../parts/menuProps.ts'

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
      <LazyMenu anchor={opened?.anchor} options={opened ? optionsFor(opened.record) : []} onClose={close} />
    </RowMenuContext>
  )

  function optionsFor(record: RaRecord): MenuOption[] {
    const duplicate = () => navigate(addresses.create, { state: { duplicate: record.id } satisfies DuplicateState })
    const options: MenuOption[] = []
    if (allowed('create') && !isReadOnly(record)) {
      options.push({ key: 'duplicate', label: translate('app.action.duplicate'), onSelect: duplicate })
    }
    if (isSorted && !isReadOnly(record)) {
      for (const to of moves) {
        options.push({ key: to, label: translate(`app.order.${to}`), onSelect: () => move(record.id, to) })
      }
    }
    for (const action of rowActions) {
      if (action === 'edit' || !offers(action, record)) continue
      const isDangerous = action === 'delete'
      const label = action === 'delete' ? translate('app.action.delete') : texts.action(action.action, 'label')
      options.push({ key: label, label, isDangerous, onSelect: () => start(action, [record], 'row') })
    }
    return options
  }
}
