import type { user as entity } from '../../src/schemas/user.ts'
import { entityTexts } from '../define/entityTexts.ts'

export const user = entityTexts<typeof entity>({
  name: { en: 'User', it: 'Utente |||| Utenti', zhCN: '用户', zhTW: '使用者', de: 'Benutzer |||| Benutzer' },
  counted: { zhTW: '%{smart_count} 位使用者' },
  empty: {
    en: 'Users are the people who may sign in.',
    it: 'Gli utenti sono le persone che possono accedere.',
    zhCN: '用户是可以登录的人。',
    zhTW: '使用者是可以登入的人。',
    de: 'Benutzer sind die Personen, die sich anmelden dürfen.',
  },
  fields: {
    username: { it: 'Nome utente', zhCN: '用户名', zhTW: '使用者名稱', de: 'Benutzername' },
    role: { it: 'Ruolo', zhCN: '角色', zhTW: '角色', de: 'Rolle' },
    password: { it: 'Password', zhCN: '密码', zhTW: '密碼', de: 'Passwort' },
    agent_secret: { it: 'Chiave dell’agente', zhCN: 'Agent 密钥', zhTW: 'Agent 金鑰', de: 'Agent-Schlüssel' },
    reject_password: {
      en: 'Password sign-in disabled',
      it: 'Accesso con password rifiutato',
      zhCN: '拒绝密码登录',
      zhTW: '拒絕密碼登入',
      de: 'Anmeldung mit Passwort gesperrt',
    },
    second_factor: {
      it: 'Secondo fattore',
      zhCN: '双重验证',
      zhTW: '雙重驗證',
      de: 'Zweiter Faktor',
    },
  },
  help: {
    password: {
      en: '8 to 72 characters. It cannot be shown or changed here later.',
      it: 'Da 8 a 72 caratteri. In seguito la password non si può né leggere né modificare da qui.',
      zhCN: '8 到 72 个字符。之后无法在此查看或修改密码。',
      zhTW: '8 到 72 個字元。之後無法在此檢視或變更密碼。',
      de: '8 bis 72 Zeichen. Das Passwort lässt sich hier später weder lesen noch ändern.',
    },
  },
  choices: {
    role: {
      admin: { it: 'Amministratore', zhCN: '管理员', zhTW: '管理員', de: 'Administrator' },
      user: { it: 'Utente', zhCN: '普通用户', zhTW: '一般使用者', de: 'Benutzer' },
    },
  },
  actions: {
    reset_second_factor: {
      label: {
        it: 'Azzera il secondo fattore',
        zhCN: '重置双重验证',
        zhTW: '重設雙重驗證',
        de: 'Zweiten Faktor zurücksetzen',
      },
      confirm: {
        en: 'Remove the second factor of %{what}? The authenticator app, all passkeys and recovery codes stop working, and all sessions of this user end. Make sure that the request really comes from this person.',
        it: 'Rimuovere il secondo fattore di %{what}? L’app di autenticazione, tutte le passkey e i codici di recupero smettono di funzionare e tutte le sessioni di questo utente terminano. Accertati che la richiesta venga davvero da questa persona.',
        zhCN: '移除%{what}的双重验证？其身份验证器、所有通行密钥和恢复码将失效，所有会话也会结束。请先确认该请求确实来自本人。',
        zhTW: '移除%{what}的雙重驗證？其驗證器應用程式、所有通行金鑰與復原碼將失效，所有工作階段也會結束。請先確認此要求確實來自本人。',
        de: 'Zweiten Faktor von %{what} entfernen? Authenticator-App, alle Passkeys und Wiederherstellungscodes werden ungültig, und alle Sitzungen dieses Benutzers enden. Bitte sicherstellen, dass die Bitte wirklich von dieser Person kommt.',
      },
      done: {
        en: 'The second factor was removed. The user can set up a new one after signing in.',
        it: 'Il secondo fattore è stato rimosso. L’utente può impostarne uno nuovo dopo l’accesso.',
        zhCN: '双重验证已移除。用户登录后可以重新设置。',
        zhTW: '雙重驗證已移除。使用者登入後可以重新設定。',
        de: 'Der zweite Faktor ist entfernt. Nach der Anmeldung lässt sich ein neuer einrichten.',
      },
    },
  },
  values: {
    owns_nothing: {
      en: 'Nothing belongs to this account.',
      it: 'A questo account non appartiene nulla.',
      zhCN: '该账号名下没有任何内容。',
      zhTW: '此帳號名下沒有任何內容。',
      de: 'Diesem Konto gehört nichts.',
    },
    owned_records: {
      en: 'What should happen to these?',
      it: 'Che cosa fare di questi elementi?',
      zhCN: '如何处理以下内容？',
      zhTW: '如何處理以下內容？',
      de: 'Was soll damit geschehen?',
    },
    move_records: { en: 'Move them to', it: 'Spostarli a', zhCN: '转移给', zhTW: '轉移給', de: 'Übertragen an' },
    receiver: { en: 'New owner', it: 'Nuovo proprietario', zhCN: '新所有者', zhTW: '新擁有者', de: 'Neuer Eigentümer' },
    delete_records: {
      en: 'Delete them too',
      it: 'Eliminarli insieme',
      zhCN: '一并删除',
      zhTW: '一併刪除',
      de: 'Mit löschen',
    },
    move_note: {
      en: 'Tasks, services and alert rules keep to the servers that they cover now. An admin who gets notifiers, services or DDNS profiles of a user has to save them once before they may call private addresses.',
      it: 'Attività, servizi e regole di avviso restano sui server che coprono ora. L’amministratore che riceve notificatori, servizi o profili DDNS di un utente deve salvarli una volta prima che possano chiamare indirizzi privati.',
      zhCN: '任务、服务和告警规则仍只作用于目前涵盖的服务器。管理员从普通用户处接收的通知方式、服务或 DDNS 配置，需先保存一次才能访问私有地址。',
      zhTW: '任務、服務和告警規則仍只作用於目前涵蓋的伺服器。管理員從一般使用者處接收的通知方式、服務或 DDNS 設定檔，需先儲存一次才能存取私有位址。',
      de: 'Aufgaben, Dienste und Alarmregeln bleiben bei den Servern, die sie jetzt abdecken. Erhält ein Administrator Benachrichtigungen, Dienste oder DDNS-Profile eines Benutzers, muss er sie einmal speichern, bevor sie private Adressen aufrufen dürfen.',
    },
  },
  protected: {
    en: 'Your own account cannot be deleted. Remove it from the selection.',
    it: 'Il proprio account non si può eliminare: toglilo dalla selezione.',
    zhCN: '不能删除自己的账号，请取消选择。',
    zhTW: '無法刪除自己的帳號，請取消選取。',
    de: 'Das eigene Konto kann nicht gelöscht werden. Bitte aus der Auswahl nehmen.',
  },
})
