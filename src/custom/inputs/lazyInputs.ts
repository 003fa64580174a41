import { lazyPart } from '../../resources/engine/parts/lazyPart.tsx'

const noticeForms = () => import('./notifierInputs.tsx')

/** The inputs that definitions point to. Each comes with the first form that needs it: a list has no use for them. */
export const AlertNotifierGroup = lazyPart(() => import('./alertRules/AlertNotifierGroupInput.tsx'))
export const CronInput = lazyPart(() => import('./CronInput.tsx'))
export const NotifierBodyInput = lazyPart(async () => ({ default: (await noticeForms()).NotifierBodyInput }))
export const NotifierUrlInput = lazyPart(async () => ({ default: (await noticeForms()).NotifierUrlInput }))
export const ProviderInput = lazyPart(async () => ({
  default: (await import('./DdnsProviderInput.tsx')).ProviderInput,
}))
export const PublicNote = lazyPart(async () => ({ default: (await import('./PublicNoteInput.tsx')).PublicNote }))
export const RuleInput = lazyPart(() => import('./alertRules/AlertRulesInput.tsx'))
export const ServiceTarget = lazyPart(() => import('./ServiceTargetInput.tsx'))
export const TextPairsInput = lazyPart(async () => ({
  default: (await import('./KeyValueInput.tsx')).TextPairsInput,
}))
export const WebhookTextInput = lazyPart(async () => ({ default: (await noticeForms()).WebhookTextInput }))
