import Button from '@mui/material/Button'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useId } from 'react'
import { useTranslate } from 'react-admin'
import { formatCalendarDay } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { PlainTable } from '../../../components/Panel.tsx'
import {
  type FormerPrice,
  formerPrices,
  formerPricesOf,
  withFormerPrice,
} from '../../../domain/contract/formerPrices.ts'
import { describedBy, FieldFrame } from '../../../engine/kinds/parts/kind.tsx'
import { serverNow } from '../../../live/serverClock.ts'
import { sameValue, type Values } from '../../../schemas/define/values.ts'
import { type Contract, contract } from '../../../schemas/machines/contract.ts'
import { priceText } from './contractCells.tsx'

/** A contract as it is stored; `undefined` without one. */
export const storedContract = (value: unknown): Contract | undefined => contract.safeParse(value).data

const costsAs = (value: Values | undefined, { price, currency, cycle }: Contract) =>
  value?.price === price && value.currency === currency && value.cycle === cycle

const today = () => new Date(serverNow()).toISOString().slice(0, 10)
const momentOf = (day: string) => `${day}T00:00:00Z`

/**
 * A contract after something was typed: as soon as it costs something else than is stored, that held until today.
 * @param before the contract before that
 */
export function withPriceUntilToday(stored: Contract | undefined, before: Values | undefined, next: Values): Values {
  const former = formerPricesOf(stored)
  if (!stored || costsAs(before, stored) === costsAs(next, stored)) return next
  return {
    ...next,
    former_prices: costsAs(next, stored) ? former : withFormerPrice(former, stored, momentOf(today())),
  }
}

interface FormerPricesInputProps {
  stored: Contract | undefined
  value: Values
  set: (changes: Values) => void
}

/** From when a new price holds, and what was paid before; each of which can be taken away. */
export function FormerPricesInput({ stored, value, set }: FormerPricesInputProps) {
  const translate = useTranslate()
  const id = useId()
  const former = formerPrices.safeParse(value.former_prices).data ?? []
  const known = formerPricesOf(stored)
  const added = former.find((one) => !known.some((other) => sameValue(one, other)))
  const others = former.filter((one) => one !== added)
  const hasNewPrice = stored !== undefined && stored.price > 0 && !costsAs(value, stored)
  return (
    <>
      {hasNewPrice ? (
        <FieldFrame
          id={id}
          label={translate('app.contract.price_from')}
          help={translate('app.contract.price_from_hint')}
          required={false}
        >
          <OutlinedInput
            id={id}
            size="small"
            type="date"
            value={added?.until.slice(0, 10) ?? ''}
            onChange={({ target }) =>
              set({ former_prices: target.value ? withFormerPrice(others, stored, momentOf(target.value)) : others })
            }
            slotProps={{ input: { max: today(), 'aria-describedby': describedBy(id) } }}
          />
        </FieldFrame>
      ) : null}
      <FormerPrices
        prices={others}
        onRemove={(price) => set({ former_prices: former.filter((one) => one !== price) })}
      />
    </>
  )
}

interface FormerPricesProps {
  prices: readonly FormerPrice[]
  onRemove?: (price: FormerPrice) => void
}

/** What a contract cost before, the latest first. */
export function FormerPrices({ prices, onRemove }: FormerPricesProps) {
  const { translate, locale } = useLanguage()
  if (prices.length === 0) return null
  return (
    <PlainTable
      headings={[
        translate('app.contract.former_prices'),
        translate('app.contract.fields.cycle'),
        translate('resources.mute.fields.ends_at'),
        ...(onRemove ? [''] : []),
      ]}
      rows={prices.toReversed().map((former) => ({
        key: `${former.until} ${former.price} ${former.currency} ${former.cycle}`,
        cells: [
          priceText(former.price, former.currency, locale),
          translate(`app.contract.cycles.${former.cycle}`),
          formatCalendarDay(Date.parse(former.until), locale),
          ...(onRemove
            ? [
                <Button key="remove" size="small" color="inherit" onClick={() => onRemove(former)}>
                  {translate('ra.action.remove')}
                </Button>,
              ]
            : []),
        ],
      }))}
    />
  )
}
