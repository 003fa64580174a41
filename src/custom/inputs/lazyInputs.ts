import { lazyPart } from '../../resources/engine/parts/lazyPart.tsx'

const notifierInputs = () => import('./notifierInputs.tsx')

/** The inputs that definitions use, each loaded with the first form that needs it: lists do not need them. */
export const CronInput = lazyPart(() => import('./cron/CronInput.tsx'))
export const NotifierBodyInput = lazyPart(async () => ({ default: (await notifierInputs()).NotifierBodyInput }))
export const NotifierUrlInput = lazyPart(async () => ({ default: (await notifierInputs()).NotifierUrlInput }))
export const NotifierTestInput = lazyPart(() => import('./NotifierTestInput.tsx'))
export const DdnsProviderInput = lazyPart(async () => ({
  default: (await import('./DdnsProviderInput.tsx')).DdnsProviderInput,
}))
export const PublicNoteInput = lazyPart(async () => ({
  default: (await import('./publicNote/PublicNoteInput.tsx')).PublicNoteInput,
}))
export const AlertRulesInput = lazyPart(() => import('./alertRules/AlertRulesInput.tsx'))
export const ServiceTargetInput = lazyPart(() => import('./ServiceTargetInput.tsx'))
export const KeyValueInput = lazyPart(async () => ({
  default: (await import('./KeyValueInput.tsx')).KeyValueInput,
}))
export const WebhookTextInput = lazyPart(async () => ({ default: (await notifierInputs()).WebhookTextInput }))
export const LocalTimeInput = lazyPart(() => import('./maintenance/LocalTimeInput.tsx'))
export const TimeZoneInput = lazyPart(() => import('./maintenance/TimeZoneInput.tsx'))
export const EventsInput = lazyPart(() => import('./EventsInput.tsx'))
export const SigningSecretInput = lazyPart(() => import('./SigningSecretInput.tsx'))
