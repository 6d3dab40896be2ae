import { expect, it } from "vitest";
import { maskedText } from "./mask-secrets";

/**
 * Kinds of secrets, each in three texts, and harmless texts that look alike. All secrets are generated here with a fixed seed, and their prefixes are
 * concatenated, so that no scanner takes this file for a leak.
 */

let seed = 41;
function below(count: number): number {
  // Numerical Recipes' linear congruential generator
  seed = (seed * 1664525 + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * count);
}
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const HEX = `${DIGITS}abcdef`;
const ALNUM = `${LOWER}${LOWER.toUpperCase()}${DIGITS}`;
const BASE64 = `${ALNUM}+/`;
const URL64 = `${ALNUM}-_`;
const draw = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet.charAt(below(alphabet.length))).join("");
const hex = (length: number) => draw(HEX, length);
const alnum = (length: number) => draw(ALNUM, length);
const b64 = (length: number) => draw(BASE64, length);
const url64 = (length: number) => `${draw(ALNUM, 1)}${draw(URL64, length - 2)}${draw(ALNUM, 1)}`;
const digits = (length: number) => `${1 + below(9)}${draw(DIGITS, length - 1)}`;
const upper = (length: number) => draw(`${LOWER.toUpperCase()}${DIGITS}`, length);
const uuid = () => [8, 4, 4, 4, 12].map(hex).join("-");
const jwt = () => `ey${"JhbGciOiJIUzI1NiJ9"}.ey${"JzdWIiOi"}${url64(40)}.${url64(43)}`;
const PEM_BEGIN = (name: string) => `${"-".repeat(5)}BEGIN ${name}${"-".repeat(5)}`;
const PEM_END = (name: string) => `${"-".repeat(5)}END ${name}${"-".repeat(5)}`;
const body = (lines: number) => [...Array.from({ length: lines }, () => b64(64)), `${b64(22)}==`];

type Wrap = (secret: string) => string;
/** A token in three of the places where sessions have them. */
const WRAPS: readonly Wrap[] = [
  (s) => `Please use ${s} for the deployment.`,
  (s) => `export SOME_SETTING=${s}\nnpm run deploy`,
  (s) => `{"content":"set it\\n${s}\\nthen go on"}`,
  (s) => `client = Client("${s}", timeout=30)`,
  (s) => `+  value: '${s}'`,
  (s) => `2026-03-01T10:00:00Z INFO using ${s}`,
];
let turn = 0;
const anywhere = (): readonly Wrap[] => [0, 1, 2].map((step) => WRAPS[(turn++ + step) % WRAPS.length] ?? String);
/** A value without a form, after a name that identifies it. */
const named = (variable: string, field = variable.toLowerCase()): readonly Wrap[] => [
  (s) => `${variable}=${s}`,
  (s) => `{"${field}": "${s}", "region": "eu"}`,
  (s) => `config:\n  ${field}: ${s}\n  retries: 3`,
];

type Kind = readonly [name: string, secret: () => string, wraps: readonly Wrap[]];
const form = (name: string, secret: () => string): Kind => [name, secret, anywhere()];
const p = (...parts: readonly string[]) => parts.join("");

const KINDS: readonly Kind[] = [
  // Models
  form("Anthropic API key", () => p("sk-", "ant-", "api03-", url64(93), "AA")),
  form("Anthropic OAuth token", () => p("sk-", "ant-", "oat01-", url64(95))),
  form("OpenAI project key", () => p("sk-", "proj-", url64(156))),
  form("OpenAI legacy key", () => p("sk", "-", alnum(20), "T3Blbk", "FJ", alnum(20))),
  form("OpenRouter key", () => p("sk-", "or-v1-", hex(64))),
  form("DeepSeek key", () => p("sk", "-", hex(32))),
  form("Groq key", () => p("gs", "k_", alnum(52))),
  form("Perplexity key", () => p("pp", "lx-", alnum(48))),
  form("xAI key", () => p("xa", "i-", alnum(80))),
  form("Replicate token", () => p("r", "8_", alnum(37))),
  form("Hugging Face token", () => p("h", "f_", draw(LOWER, 34))),
  form("Google API key", () => p("AI", "za", url64(35))),
  ["Cohere key", () => alnum(40), named("COHERE_API_KEY")],
  ["Mistral key", () => alnum(32), named("MISTRAL_API_KEY")],
  // Clouds
  [
    "AWS secret key",
    () => b64(40),
    [...named("AWS_SECRET_ACCESS_KEY").slice(0, 2), (s) => `[default]\naws_secret_access_key = ${s}`],
  ],
  form("AWS key id", () => p("AK", "IA", draw("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16))),
  ["AWS session token", () => `Fwo${b64(300)}=`, named("AWS_SESSION_TOKEN")],
  [
    "GCP service account",
    () => `MII${b64(61)}`,
    [
      (s) =>
        `{"type":"service_account","private_key":"${PEM_BEGIN("PRIVATE KEY")}\\n${s}\\n${PEM_END("PRIVATE KEY")}\\n"}`,
      (s) => `{\n  "private_key": "${PEM_BEGIN("PRIVATE KEY")}\\n${s}\\n`,
      (s) => `{\\"private_key\\":\\"${PEM_BEGIN("PRIVATE KEY")}\\\\n${s}\\\\n${PEM_END("PRIVATE KEY")}\\\\n\\"}`,
    ],
  ],
  form("Google OAuth secret", () => p("GOC", "SPX-", url64(28))),
  form("Google access token", () => p("ya", "29.", url64(180))),
  form("Google refresh token", () => p("1/", "/0", url64(80))),
  [
    "Azure storage key",
    () => `${b64(86)}==`,
    [
      (s) => `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${s};EndpointSuffix=core.windows.net`,
      (s) => `AZURE_STORAGE_KEY=${s}`,
      (s) => `"accountKey": "${s}"`,
    ],
  ],
  [
    "Azure SAS",
    () => `${alnum(40)}%2B${alnum(3)}%3D`,
    [
      (s) => `https://shop.blob.core.windows.net/c/a.zip?sv=2024-11-04&sp=r&sig=${s}`,
      (s) => `curl "https://shop.blob.core.windows.net/c?sig=${s}&se=2027-01-01"`,
      (s) => `SharedAccessSignature sr=shop.servicebus.windows.net&sig=${s}&se=1767225600`,
    ],
  ],
  form("Azure AD client secret", () => p(alnum(3), "8Q", "~", alnum(34))),
  form("DigitalOcean token", () => p("dop", "_v1_", hex(64))),
  [
    "Heroku key",
    uuid,
    [(s) => `HEROKU_API_KEY=${s}`, (s) => `heroku_api_key: "${s}"`, (s) => `Authorization: Bearer ${s}`],
  ],
  form("Netlify token", () => p("nf", "p_", alnum(36))),
  ["Vercel token", () => alnum(24), [...named("VERCEL_TOKEN").slice(0, 2), (s) => `vercel deploy --token ${s}`]],
  [
    "Cloudflare token",
    () => url64(40),
    [...named("CLOUDFLARE_API_TOKEN").slice(0, 2), (s) => `curl -H "Authorization: Bearer ${s}"`],
  ],
  ["Fastly token", () => alnum(32), [...named("FASTLY_API_TOKEN").slice(0, 2), (s) => `Fastly-Key: ${s}`]],
  form("Alibaba key id", () => p("LT", "AI", alnum(20))),
  form("Tencent secret id", () => p("AK", "ID", alnum(32))),
  [
    "Snowflake password",
    () => `${alnum(6)}!${alnum(6)}`,
    [...named("SNOWFLAKE_PASSWORD").slice(0, 2), (s) => `snowflake.connect(user="ada", password="${s}")`],
  ],
  form("Databricks token", () => p("da", "pi", hex(32))),
  form("Doppler token", () => p("dp.", "pt.", alnum(43))),
  form("Pulumi token", () => p("pu", "l-", hex(40))),
  form("Terraform token", () => p(alnum(14), ".atlas", "v1.", url64(64))),
  form("Vault token", () => p("hv", "s.", url64(92))),
  form("1Password service account", () => p("op", "s_ey", "J", b64(260))),
  ["Supabase key", () => p("sb", "p_", hex(40)), anywhere()],
  form("PlanetScale password", () => p("pscale", "_pw_", url64(43))),
  ["Firebase server key", () => p("AAAA", url64(7), ":APA", "91b", url64(134)), anywhere()],
  // Code and packages
  form("GitHub token", () => p("gh", "p_", alnum(36))),
  form("GitHub OAuth token", () => p("gh", "o_", alnum(36))),
  form("GitHub app token", () => p("gh", "s_", alnum(36))),
  form("GitHub fine-grained token", () => p("github", "_pat_", alnum(22), "_", alnum(59))),
  form("GitLab token", () => p("gl", "pat-", url64(20))),
  form("GitLab runner token", () => p("gl", "rt-", url64(20))),
  form("Bitbucket app password", () => p("AT", "BB", alnum(32))),
  form("npm token", () => p("np", "m_", alnum(36))),
  [
    ".npmrc",
    () => uuid(),
    [
      (s) => `//registry.npmjs.org/:_authToken=${s}`,
      (s) => `+//npm.corp.example/:_authToken="${s}"`,
      (s) => `echo "//registry.npmjs.org/:_authToken=${s}" > ~/.npmrc`,
    ],
  ],
  form("PyPI token", () => p("py", "pi-", "AgEIcHlwaS5vcmc", url64(150))),
  form("RubyGems key", () => p("ruby", "gems_", hex(48))),
  form("crates.io token", () => p("ci", "o", alnum(32))),
  form("Docker Hub token", () => p("dckr", "_pat_", url64(27))),
  [
    "Docker config",
    () => Buffer.from(`ada:${alnum(20)}`).toString("base64"),
    [
      (s) => `{"auths":{"https://index.docker.io/v1/":{"auth":"${s}"}}}`,
      (s) => `      "auth": "${s}"`,
      (s) => `{\\"auths\\":{\\"ghcr.io\\":{\\"auth\\":\\"${s}\\"}}}`,
    ],
  ],
  form("NuGet key", () => p("oy", "2", draw(`${LOWER}${DIGITS}`, 43))),
  // Monitoring
  [
    "Datadog key",
    () => hex(32),
    [(s) => `DD_API_KEY=${s}`, (s) => `DD-API-KEY: ${s}`, (s) => `datadog_api_key: "${s}"`],
  ],
  form("New Relic key", () => p("NR", "AK-", upper(27))),
  form("Sentry token", () => p("sntr", "yu_", hex(64))),
  [
    "Sentry address",
    () => hex(32),
    [
      (s) => `SENTRY_DSN=https://${s}@o12.ingest.sentry.io/45`,
      (s) => `dsn: "https://${s}@sentry.example/3"`,
      (s) => `init({dsn:'https://${s}@o1.ingest.us.sentry.io/9'})`,
    ],
  ],
  form("Grafana token", () => p("gl", "sa_", alnum(32), "_", hex(8))),
  [
    "PagerDuty key",
    () => `u+${alnum(18)}`,
    [...named("PAGERDUTY_TOKEN").slice(0, 2), (s) => `Authorization: Token token=${s}`],
  ],
  ["Okta token", () => `00${url64(40)}`, [...named("OKTA_API_TOKEN").slice(0, 2), (s) => `Authorization: SSWS ${s}`]],
  ["Auth0 secret", () => url64(64), named("AUTH0_CLIENT_SECRET")],
  // Mail and messages
  form("SendGrid key", () => p("S", "G.", url64(22), ".", url64(43))),
  form("Mailgun key", () => p("ke", "y-", hex(32))),
  form("Mailchimp key", () => p(hex(32), "-us", "12")),
  [
    "Postmark token",
    uuid,
    [(s) => `POSTMARK_SERVER_TOKEN=${s}`, (s) => `X-Postmark-Server-Token: ${s}`, (s) => `postmark_api_token: '${s}'`],
  ],
  [
    "Twilio auth token",
    () => hex(32),
    [
      (s) => `TWILIO_AUTH_TOKEN=${s}`,
      (s) => `twilio.Client(account_sid, auth_token="${s}")`,
      (s) => `curl -u AC${hex(32)}:${s} https://api.twilio.com`,
    ],
  ],
  form("Twilio API key", () => p("S", "K", hex(32))),
  form("Slack bot token", () => p("xo", "xb-", digits(12), "-", digits(13), "-", alnum(24))),
  form("Slack user token", () => p("xo", "xp-", digits(12), "-", digits(12), "-", digits(13), "-", hex(32))),
  [
    "Slack webhook",
    () => p("T", upper(8), "/B", upper(8), "/", alnum(24)),
    [0, 1, 3].map((at) => (s: string) => (WRAPS[at] ?? String)(`https://hooks.${"slack"}.com/services/${s}`)),
  ],
  form("Discord bot token", () => p("MT", alnum(22), ".", alnum(6), ".", url64(38))),
  [
    "Discord webhook",
    () => url64(68),
    [0, 2, 3].map((at) => (s: string) => (WRAPS[at] ?? String)(`https://discord.com/api/webhooks/${digits(18)}/${s}`)),
  ],
  form("Telegram bot token", () => p(digits(10), ":", "AA", url64(33))),
  // Payment
  form("Stripe secret key", () => p("sk", "_live_", alnum(24))),
  form("Stripe restricted key", () => p("rk", "_live_", alnum(99))),
  form("Stripe webhook secret", () => p("wh", "sec_", alnum(32))),
  form("Square token", () => p("EA", "AA", url64(60))),
  form("Braintree token", () => p("access_token", "$production$", draw(`${LOWER}${DIGITS}`, 16), "$", hex(32))),
  ["PayPal secret", () => `E${url64(79)}`, named("PAYPAL_CLIENT_SECRET")],
  form("Shopify token", () => p("shp", "at_", hex(32))),
  form("Adyen key", () => p("AQ", "Eyhm", b64(40), "-", b64(43), "=-", b64(16))),
  form("Plaid access token", () => p("access-", "production-", uuid())),
  // Work
  form("Notion token", () => p("nt", "n_", digits(11), alnum(35))),
  form("Linear key", () => p("lin", "_api_", alnum(40))),
  form("Figma token", () => p("fig", "d_", url64(40))),
  form("Airtable token", () => p("pa", "t", alnum(14), ".", hex(64))),
  form("Asana token", () => p("1/", digits(16), ":", hex(32))),
  form("Atlassian token", () => p("AT", "ATT3xFf", "GF0", url64(180), "=", upper(8))),
  form("HubSpot token", () => p("pa", "t-na1-", uuid())),
  // Keys
  form("age key", () => p("AGE-SECRET", "-KEY-1", draw("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58))),
  [
    "RSA key",
    () => body(6).join("\n"),
    [
      (s) => `Here it is:\n${PEM_BEGIN("RSA PRIVATE KEY")}\n${s}\n${PEM_END("RSA PRIVATE KEY")}\nDone.`,
      (s) =>
        [PEM_BEGIN("RSA PRIVATE KEY"), ...s.split("\n"), PEM_END("RSA PRIVATE KEY")]
          .map((line, at) => `${String(at + 1).padStart(6)}→${line}`)
          .join("\n"),
      (s) =>
        `diff --git a/key b/key\n+${PEM_BEGIN("RSA PRIVATE KEY")}\n${s
          .split("\n")
          .map((line) => `+${line}`)
          .join("\n")}\n+${PEM_END("RSA PRIVATE KEY")}\n`,
    ],
  ],
  [
    "OpenSSH key",
    () => [`b3BlbnNzaC1rZXktdjE${b64(45)}`, ...body(4)].join("\n"),
    [
      (s) => `${PEM_BEGIN("OPENSSH PRIVATE KEY")}\n${s}\n${PEM_END("OPENSSH PRIVATE KEY")}`,
      (s) => `${PEM_BEGIN("OPENSSH PRIVATE KEY")}\n${s}\n\n[output truncated]\nThe next command was fine.`,
      (s) => `cat ~/.ssh/id_ed25519 | tail\n${s}\n${PEM_END("OPENSSH PRIVATE KEY")}`,
    ],
  ],
  [
    "EC key",
    () => body(2).join("\n"),
    [
      (s) => `SSL_KEY="${PEM_BEGIN("EC PRIVATE KEY")}\\n${s.replaceAll("\n", "\\n")}\\n${PEM_END("EC PRIVATE KEY")}"`,
      (s) =>
        `key: |\n    ${PEM_BEGIN("EC PRIVATE KEY")}\n${s
          .split("\n")
          .map((line) => `    ${line}`)
          .join("\n")}\n    ${PEM_END("EC PRIVATE KEY")}`,
      (s) => `"key": "${PEM_BEGIN("EC PRIVATE KEY")}\\r\\n${s.replaceAll("\n", "\\r\\n")}`,
    ],
  ],
  [
    "PGP key",
    () => body(8).join("\n"),
    [
      (s) =>
        `${PEM_BEGIN("PGP PRIVATE KEY BLOCK")}\nVersion: GnuPG v2\n\n${s}\n=${b64(4)}\n${PEM_END("PGP PRIVATE KEY BLOCK")}`,
      (s) => `${PEM_BEGIN("PGP PRIVATE KEY BLOCK")}\n\n${s}`,
      (s) =>
        `-${PEM_BEGIN("PGP PRIVATE KEY BLOCK")}\n-\n${s
          .split("\n")
          .map((line) => `-${line}`)
          .join("\n")}\n-${PEM_END("PGP PRIVATE KEY BLOCK")}`,
    ],
  ],
  [
    "WireGuard key",
    () => `${b64(42)}A=`,
    [(s) => `[Interface]\nPrivateKey = ${s}`, (s) => `PresharedKey=${s}`, (s) => `wg_private_key: ${s}`],
  ],
  [
    "JSON Web Key",
    () => url64(43),
    [
      (s) => `{"kty":"EC","crv":"P-256","d":"${s}"}`,
      (s) => `{\n "d": "${s}",\n "kty": "OKP"\n}`,
      (s) => `{\\"kty\\":\\"oct\\",\\"k\\":\\"${s}\\"}`,
    ],
  ],
  form("JSON Web Token", jwt),
  // Places
  [
    "bearer header",
    () => url64(40),
    [
      (s) => `Authorization: Bearer ${s}`,
      (s) => `headers: { "Authorization": "Bearer ${s}" }`,
      (s) => `curl -H 'authorization: bearer ${s}' https://api.example`,
    ],
  ],
  [
    "basic header",
    () => Buffer.from(`ada:${alnum(12)}`).toString("base64"),
    [
      (s) => `Authorization: Basic ${s}`,
      (s) => `-H "Authorization: Basic ${s}"`,
      (s) => `"Proxy-Authorization": "Basic ${s}"`,
    ],
  ],
  [
    "key header",
    () => hex(32),
    [(s) => `X-Api-Key: ${s}`, (s) => `curl -H "x-auth-token: ${s}"`, (s) => `{"X-Goog-Api-Key": "${s}"}`],
  ],
  [
    "Postgres address",
    () => `${alnum(7)}#${alnum(4)}`,
    [
      (s) => `DATABASE_URL=postgres://app:${s}@db.internal:5432/shop`,
      (s) => `psql "postgresql://app:${s}@10.0.0.3/shop?sslmode=require"`,
      (s) => `{"url": "postgres://app:${s}@db/shop"}`,
    ],
  ],
  [
    "MongoDB address",
    () => alnum(16),
    [
      (s) => `mongodb+srv://app:${s}@cluster0.ab1cd.mongodb.net/shop`,
      (s) => `MONGO_URL="mongodb://root:${s}@mongo:27017"`,
      (s) => `mongosh 'mongodb://app:${s}@localhost:27017/admin'`,
    ],
  ],
  [
    "Redis address",
    () => alnum(20),
    [
      (s) => `redis://:${s}@cache:6379/0`,
      (s) => `REDIS_URL=rediss://default:${s}@eu1.upstash.io:6379`,
      (s) => `redis-cli -h cache -a ${s} ping`,
    ],
  ],
  [
    "web address",
    () => alnum(14),
    [
      (s) => `git clone https://ada:${s}@git.example/shop.git`,
      (s) => `https://oauth2:${s}@gitlab.com/a/b`,
      (s) => `HTTPS_PROXY=http://proxy:${s}@10.0.0.1:3128`,
    ],
  ],
  [
    "signed address",
    () => hex(64),
    [
      (s) => `https://b.s3.amazonaws.com/a?X-Amz-Expires=60&X-Amz-Signature=${s}`,
      (s) => `GET /v1/items?access_token=${s}&page=2`,
      (s) => `https://storage.googleapis.com/b/o?X-Goog-Signature=${s}`,
    ],
  ],
  [
    "password variable",
    () => `${draw(LOWER, 6)}${digits(3)}!`,
    [(s) => `DB_PASS=${s}`, (s) => `export PGPASSWORD='${s}'`, (s) => `      MYSQL_ROOT_PASSWORD: ${s}`],
  ],
  [
    "password in code",
    () => `${alnum(5)}$${alnum(5)}`,
    [
      (s) => `const password = "${s}";`,
      (s) => `conn = connect(user='ada', password='${s}')`,
      (s) => `spring.datasource.password=${s}`,
    ],
  ],
  [
    "password option",
    () => `${alnum(4)}@${alnum(6)}`,
    [
      (s) => `deploy --user ada --password ${s} --force`,
      (s) => `app login --password='${s}'`,
      (s) => `sshpass -p ${s} ssh ada@host`,
    ],
  ],
  [
    "MySQL option",
    () => alnum(12),
    [
      (s) => `mysql -u root -p${s} shop`,
      (s) => `mysqldump -h db -uroot -p'${s}' shop > a.sql`,
      (s) => `docker exec db mysql -p${s} -e 'SHOW TABLES'`,
    ],
  ],
  [
    "curl user",
    () => `${alnum(8)}!`,
    [
      (s) => `curl -u ada:${s} https://api.example/v1`,
      (s) => `curl -s --user "ada:${s}" https://api.example`,
      (s) => `curl https://api.example -u 'ada:${s}'`,
    ],
  ],
  [
    "netrc",
    () => alnum(16),
    [
      (s) => `machine github.com login ada password ${s}`,
      (s) => `machine api.heroku.com\n  login ada@shop.example\n  password ${s}\n`,
      (s) => `default login anonymous password ${s}`,
    ],
  ],
  [
    "pgpass",
    () => alnum(14),
    [
      (s) => `db.internal:5432:shop:app:${s}`,
      (s) => `localhost:5432:*:postgres:${s}\n`,
      (s) => `cat ~/.pgpass\n*:*:shop:app:${s}`,
    ],
  ],
  [
    "htpasswd",
    () => `$apr1$${alnum(8)}$${alnum(22)}`,
    [(s) => `ada:${s}`, (s) => `cat .htpasswd\nada:${s}\nbob:none`, (s) => `users: "ada:${s}"`],
  ],
  [
    "password hash",
    () => `$2b$12$${alnum(53)}`,
    [(s) => `INSERT INTO users VALUES ('ada', '${s}');`, (s) => `"hash": "${s}"`, (s) => `ada:${s}:1000`],
  ],
  [
    "Kubernetes secret",
    () => Buffer.from(alnum(18)).toString("base64"),
    [
      (s) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\ndata:\n  value: ${s}\n`,
      (s) => `apiVersion: v1\ndata:\n  first: ${Buffer.from(alnum(9)).toString("base64")}\n  db: ${s}\nkind: Secret\n`,
      (s) => `{"apiVersion":"v1","data":{"db":"${s}"},"kind":"Secret"}`,
    ],
  ],
  [
    "kubeconfig",
    () => `LS0tLS1CRUdJTi${"BSU0EgUFJJVkFURSBLRVktLS0tL"}${b64(400)}`,
    [
      (s) => `    client-key-data: ${s}`,
      (s) => `users:\n- name: admin\n  user:\n    client-key-data: ${s}\n`,
      (s) => `"client-key-data": "${s}"`,
    ],
  ],
  [
    "cookie header",
    () => alnum(32),
    [
      (s) => `Cookie: theme=dark; session=${s}`,
      (s) => `Set-Cookie: sid=${s}; Path=/; HttpOnly`,
      (s) => `curl -b "connect.sid=${s}" https://shop.example`,
    ],
  ],
  [
    "session id",
    () => draw(`${LOWER}${DIGITS}`, 26),
    [(s) => `PHPSESSID=${s}`, (s) => `document.cookie = "JSESSIONID=${s}"`, (s) => `-H 'Cookie: sessionid=${s}'`],
  ],
  [
    "Django secret",
    () => `django-insecure-${draw(`${LOWER}${DIGITS}!@^&*(-_=+)`, 50)}`,
    [(s) => `SECRET_KEY = '${s}'`, (s) => `SECRET_KEY=${s}`, (s) => `+SECRET_KEY = "${s}"`],
  ],
  [
    "Laravel key",
    () => `base64:${b64(43)}=`,
    [(s) => `APP_KEY=${s}`, (s) => `'app_key' => '${s}'`, (s) => `"APP_KEY": "${s}"`],
  ],
  [
    "SQL password",
    () => `${alnum(6)}!${digits(3)}`,
    [
      (s) => `CREATE USER 'ada'@'%' IDENTIFIED BY '${s}';`,
      (s) => `ALTER USER ada WITH PASSWORD '${s}';`,
      (s) => `CREATE ROLE ada LOGIN PASSWORD '${s}'`,
    ],
  ],
  [
    "connection string",
    () => `${alnum(6)}#${alnum(5)}`,
    [
      (s) => `Server=db;Database=shop;User Id=app;Password=${s};Encrypt=true`,
      (s) => `"Default": "Host=db;Username=app;Password=${s}"`,
      (s) => `Uid=app;Pwd=${s};`,
    ],
  ],
  [
    "XML password",
    () => `${alnum(9)}!`,
    [
      (s) => `<password>${s}</password>`,
      (s) => `<add key="DbPassword" value="${s}" />`,
      (s) => `<server><id>x</id><username>ada</username><password>${s}</password></server>`,
    ],
  ],
  [
    "variables as a list",
    () => alnum(16),
    [
      (s) => `- name: DB_PASSWORD\n  value: ${s}`,
      (s) => `{"name": "API_TOKEN", "value": "${s}"}`,
      (s) => `- name: SMTP_PASSWORD\n  value: "${s}"`,
    ],
  ],
  [
    "sentence",
    () => `${draw(LOWER, 5)}${digits(4)}`,
    [(s) => `The password is ${s}, try it.`, (s) => `Password: ${s}`, (s) => `数据库密码是 ${s}`],
  ],
  [
    "wallet phrase",
    () => Array.from({ length: 12 }, () => draw(LOWER, 3 + below(5))).join(" "),
    [(s) => `mnemonic: "${s}"`, (s) => `MNEMONIC=${s}`, (s) => `My seed phrase is ${s}`],
  ],
  ["wallet key", () => `0x${hex(64)}`, named("PRIVATE_KEY")],
  [
    "grepped key",
    () => body(3).join("\n"),
    [
      (s) =>
        `key.pem:1:${PEM_BEGIN("PRIVATE KEY")}\n${s
          .split("\n")
          .map((line, at) => `key.pem:${at + 2}:${line}`)
          .join("\n")}`,
      (s) => `${PEM_BEGIN("PRIVATE KEY")}\n${s}...`,
      (s) => `${PEM_BEGIN("PRIVATE KEY")} ${s.replaceAll("\n", " ")}`,
    ],
  ],
  [
    "password of a call",
    () => `${alnum(8)}7!`,
    [
      (s) => `source.setPassword("${s}");`,
      (s) => `requests.get(url, auth=("ada", "${s}"))`,
      (s) => `imap.login("ada@shop.example", "${s}")`,
    ],
  ],
  [
    "WordPress key",
    () => `${alnum(30)}!@#${alnum(8)}`,
    [
      (s) => `define('AUTH_KEY',         '${s}');`,
      (s) => `define( 'NONCE_SALT', '${s}' );`,
      (s) => `define("DB_PASSWORD", "${s}");`,
    ],
  ],
  [
    "Oracle password",
    () => `${alnum(8)}9!`,
    [
      (s) => `sqlplus scott/${s}@db`,
      (s) => `jdbc:oracle:thin:scott/${s}@//db:1521/x`,
      (s) => `ALTER USER scott IDENTIFIED BY "${s}";`,
    ],
  ],
  [
    "Vault's unseal key",
    () => `${b64(43)}=`,
    [1, 2, 3].map((at) => (s: string) => `Unseal Key ${at}: ${s}\nInitial Root Token: none`),
  ],
  [
    "Telegram address",
    () => p(digits(10), ":", "AA", url64(33)),
    [(s) => `https://api.telegram.org/bot${s}/sendMessage`, (s) => `TELEGRAM_TOKEN=${s}`, (s) => `bot = Bot("${s}")`],
  ],
  ["nested secret key", () => b64(64), named("SECRET_KEY_BASE")],
  [
    "piped password",
    () => `${alnum(9)}4!`,
    [
      (s) => `echo "ada:${s}" | chpasswd`,
      (s) => `echo '${s}' | sudo -S apt update`,
      (s) => `echo ${s} | docker login -u ada --password-stdin`,
    ],
  ],
  [
    "other options",
    () => `${alnum(9)}4`,
    [
      (s) => `keytool -storepass ${s} -alias shop`,
      (s) => `zip -P ${s} a.zip b`,
      (s) => `ssh-keygen -t rsa -N '${s}' -f k`,
    ],
  ],
  [
    "password of a settings command",
    () => alnum(12),
    [
      (s) => `wpa_passphrase home ${s}`,
      (s) => `nmcli dev wifi connect home password ${s}`,
      (s) => `grafana-cli admin reset-admin-password ${s}`,
    ],
  ],
  [
    "password of an account command",
    () => `${alnum(9)}7!`,
    [
      (s) => `net user ada ${s} /add`,
      (s) => `security unlock-keychain -p ${s} build.keychain`,
      (s) => `openssl enc -aes-256-cbc -k ${s} -in a`,
    ],
  ],
  [
    "password as an argument",
    () => `${alnum(9)}9`,
    [
      (s) => `new mysqli("localhost", "root", "${s}", "shop");`,
      (s) => `new PDO($dsn, 'root', '${s}');`,
      (s) => `mysql_connect('db','root','${s}')`,
    ],
  ],
  [
    "password in a dialogue",
    () => alnum(11),
    [(s) => `expect "password:"\nsend "${s}\\r"`, (s) => `user default on >${s} ~* +@all`, (s) => `olcRootPW: ${s}`],
  ],
  [
    "Maven password",
    () => `{${b64(43)}=}`,
    [
      (s) => `<password>${s}</password>`,
      (s) => `<settingsSecurity>\n  <master>${s}</master>`,
      (s) => `mvn --encrypt-password\n${s}`,
    ],
  ],
  [
    "key file",
    () => hex(32),
    [
      (s) => `cat config/master.key\n${s}`,
      (s) => `config/master.key\n     1→${s}\n`,
      (s) => `echo ${s} > ~/.vault_pass`,
    ],
  ],
  [
    "cookie of Erlang",
    () => draw(LOWER.toUpperCase(), 20),
    [(s) => `RABBITMQ_ERLANG_COOKIE=${s}`, (s) => `erl -setcookie ${s} -name a`, (s) => `cat .erlang.cookie\n${s}`],
  ],
  form("Nostr key", () => p("nse", "c1", draw("023456789acdefghjklmnpqrstuvwxyz", 58))),
  form("Bitcoin key", () =>
    p("5", draw("HJK", 1), draw("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 49)),
  ),
  form("Codex refresh token", () => p("r", "t_", alnum(43), ".", alnum(43))),
  form("minisign key", () => p("RWR", "TY0Iy", b64(200), "=")),
  form("Cloudflare tunnel token", () => p("ey", "JhIjoi", alnum(160))),
  [
    "Solana key",
    () => Array.from({ length: 64 }, () => below(256)).join(","),
    [
      (s) => `cat ~/.config/solana/id.json\n[${s}]`,
      (s) => `SECRET_KEY=[${s}]`,
      (s) => `Keypair.fromSecretKey(Uint8Array.from([${s.replaceAll(",", ", ")}]))`,
    ],
  ],
  ["routing key", () => hex(32), named("PAGERDUTY_ROUTING_KEY", "routing_key")],
];

const HARMLESS: readonly string[] = [
  `commit ${hex(40)}\nAuthor: Ada <ada@shop.example>`,
  `index ${hex(7)}..${hex(7)} 100644`,
  `git checkout ${hex(12)}`,
  `session ${uuid()} resumed`,
  `{"sessionId":"${uuid()}","uuid":"${uuid()}","parentUuid":null}`,
  `sha256:${hex(64)}`,
  `md5sum: ${hex(32)}  dist/app.js`,
  `"integrity": "sha512-${b64(86)}=="`,
  `"shasum": "${hex(40)}",`,
  `resolved "https://registry.yarnpkg.com/zod/-/zod-4.0.0.tgz#${hex(40)}"`,
  `golang.org/x/net v0.20.0 h1:${b64(43)}=`,
  `data:image/png;base64,iVBORw0KGgo${b64(200)}=`,
  `url("data:font/woff2;base64,d09GMgABAAAAA${b64(120)}")`,
  "Choose a strong password and never share your password with anybody.",
  "Forgot your password? Reset the token in the settings and try again.",
  "API_KEY=YOUR_API_KEY",
  'api_key = "your-api-key-here"',
  "export OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxx",
  "password: ********",
  `DB_PASSWORD=\${DB_PASSWORD:-}`,
  `token: \${{ secrets.GITHUB_TOKEN }}`,
  "const password = getPassword();",
  "function validateToken(token: string, secret: string): boolean {",
  "interface Login { username: string; password: string; apiKey?: string }",
  "const apiKey = process.env.OPENAI_API_KEY;",
  'os.environ["SECRET_KEY"]',
  '<input type="password" name="password" placeholder="Password" autocomplete="current-password">',
  ".token-list { color: #ff00aa; --token-color: var(--blue-500); }",
  ".password-field:focus { border: 1px solid #336699; }",
  "max_tokens: 128000, input_tokens: 5213, cache_read_input_tokens: 48211",
  "the tokenizer counted 12345 tokens; the key is stored in the keychain",
  '{"key": "user.profile.title", "primaryKey": "id", "foreignKey": "order_id"}',
  "model: claude-sonnet-4-5-20250929, fallback: gpt-5.1-codex-max",
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${b64(43)} ada@laptop`,
  `${PEM_BEGIN("CERTIFICATE")}\n${body(3).join("\n")}\n${PEM_END("CERTIFICATE")}`,
  `${PEM_BEGIN("PUBLIC KEY")}\n${body(2).join("\n")}\n${PEM_END("PUBLIC KEY")}`,
  `if (text.startsWith("${PEM_BEGIN("PRIVATE KEY")}")) return "${PEM_END("PRIVATE KEY")}";`,
  "postgres://user:password@localhost:5432/db",
  "https://user:<password>@git.example/shop.git",
  "Authorization: Bearer <token>",
  'curl -H "Authorization: Bearer $TOKEN" https://api.example',
  "docker run -p 8080:80 -e NODE_ENV=production shop",
  "mkdir -p build/cache && ssh -p 2222 host",
  'etag: W/"5f-a8Xq12Lk"\ncontent-length: 5021',
  "trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span_id=00f067aa0ba902b7",
  "src/secret-store.ts:12:34: error: Property 'token' does not exist",
  '"score":1,"verdict":"pass","assertions":[{"text":"ok","passed":true}]',
  'models = { openai: "gpt-5.1-codex", google: "gemini-2.5-pro" }',
  "license: Apache-2.0",
  "The password must have 8 characters and 1 digit.",
  "const token = jwt.sign(payload, secret, { expiresIn: '1h' });",
  "if (password !== confirmPassword) throw new Error('Passwords do not match');",
  "password: z.string().min(8),",
  "PASSWORD_MIN_LENGTH=12",
  "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db\n      key: password",
  "docker login -u $USER -p $PASS && mysql -uroot -p$MYSQL_PASSWORD db",
  `"request_id": "req_${alnum(24)}", "id": "msg_${alnum(24)}", "tool": "toolu_${alnum(24)}", "call": "call_${alnum(24)}"`,
  `cacheKey: ${hex(40)}, contentHash: "${hex(64)}"`,
  `session_id=${uuid()}`,
  "fetch(url, { credentials: 'include' }); token budget: 200000; seed: 42",
  `fingerprint: SHA256:${b64(43)}`,
  `Email OTP login: userId=${uuid()}`,
  "I go on with a docs-only pass: I'll skip the tests",
  "passed: 128, failed: 0, pass rate: 100%",
  "import { SecretManagerServiceClient } from '@google-cloud/secret-manager';",
  "key: value, secretName: my-tls-secret, tokenExpiresIn: 3600",
  "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE",
  "net user ada /delete && wpa_supplicant -i wlan0",
  `const bytes = [${Array.from({ length: 64 }, (_, at) => at).join(", ")}];`,
  'expect(page).toHaveTitle("Shop"); socket.send("message 1\\r")',
  "import pw from 'playwright'; const pw = await start(); pw: 12",
  'routing_key: "orders.created", exchange: "shop"',
  'new Client("localhost", "shop", "schema1");',
  `cat src/keys.ts\n${hex(7)} Fix keys`,
];

/** The most characters of a secret that may stay together. */
const LEFT = 8;

/** True if some part of a secret remains; each line of a longer one is checked separately. */
function isLeft(masked: string, secret: string): boolean {
  return secret.split("\n").some((line) => {
    if (line.length <= LEFT) return line.length > 3 && masked.includes(line);
    return Array.from({ length: line.length - LEFT + 1 }, (_, at) => line.slice(at, at + LEFT)).some((part) =>
      masked.includes(part),
    );
  });
}

it("known secrets of many kinds are masked completely", async () => {
  const missed: string[] = [];
  for (const [name, secret, wraps] of KINDS) {
    for (const wrap of wraps) {
      const value = secret();
      const { text } = await maskedText(wrap(value));
      if (isLeft(text, value)) missed.push(`${name}: ${wrap(value).slice(0, 200)} => ${text.slice(0, 200)}`);
    }
  }
  expect(KINDS.length).toBeGreaterThanOrEqual(89);
  expect(missed).toEqual([]);
});

it("texts that only resemble secrets are not masked", async () => {
  const changed: string[] = [];
  for (const text of HARMLESS) {
    const masked = await maskedText(text);
    if (masked.text !== text)
      changed.push(
        `${text.slice(0, 200)} => ${masked.text.slice(0, 200)} (${masked.masks.map(({ rule }) => rule).join()})`,
      );
  }
  expect(HARMLESS.length).toBeGreaterThanOrEqual(40);
  expect(changed).toEqual([]);
});
