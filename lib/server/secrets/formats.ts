import type { Finding } from "./finding";
import { isExample } from "./values";

/**
 * Secrets with their own format, by service. The group of an expression, if any, is the secret. A token begins after any character except a letter or
 * a digit, or after an escaped line break (`\n`). The prefixes, alphabets and lengths come from gitleaks (`config/gitleaks.toml`, MIT licence,
 * copyright (c) 2019 Zachary Rice) and the providers' documentation; shorter tokens count too, since a text may break off. Repetitions have limits,
 * so that they take time in proportion to the text.
 */
const FORMATS: Readonly<Record<string, readonly RegExp[]>> = {
  modelKey: [
    // Anthropic, OpenRouter, OpenAI and services that took over its format; Langfuse, LangSmith
    /(?<![A-Za-z0-9](?<!\\[nrt]))(?:sk-(?:ant|or|proj|svcacct|admin|None|lf|kimi)-[\w-]{16,250}|pk-lf-[\w-]{16,60}|sk-[A-Za-z0-9]{20,120}|lsv2_(?:pt|sk)_[\w-]{20,80})/g,
    // Hugging Face, Groq, xAI, Replicate, Perplexity, Fireworks, Together, Cerebras, NVIDIA, Tavily, Firecrawl, Jina, Voyage, Pinecone, Cursor, ElevenLabs, Context7
    /(?<![A-Za-z0-9](?<!\\[nrt]))(?:(?:hf|api_org)_[A-Za-z0-9]{30,40}|gsk_[A-Za-z0-9]{32,64}|xai-[A-Za-z0-9_-]{32,100}|r8_[A-Za-z0-9]{32,44}|pplx-[A-Za-z0-9]{32,64}|fw_[A-Za-z0-9]{20,30}|tgp_v1_[\w-]{32,60}|csk-[a-z0-9]{40,60}|nvapi-[\w-]{40,80}|tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,60}|fc-[a-f0-9]{32}|jina_[A-Za-z0-9_-]{40,80}|pa-[A-Za-z0-9_-]{40,50}|pcsk_[A-Za-z0-9_]{40,90}|key_[a-f0-9]{60,70}|sk_[a-f0-9]{48}|ctx7sk-[\w-]{20,50})(?![A-Za-z0-9])/g,
    // Codex (refresh tokens)
    /(?<![A-Za-z0-9](?<!\\[nrt]))rt_[\w-]{40,60}\.[\w-]{40,60}(?![A-Za-z0-9])/g,
    // Bedrock
    /bedrock-api-key-[A-Za-z0-9+/]{20,4000}={0,2}|(?<![A-Za-z0-9](?<!\\[nrt]))ABSK[A-Za-z0-9+/]{60,269}={0,2}/g,
  ],
  cloudKey: [
    // Google: API keys, secrets and tokens of OAuth, server keys of Firebase
    /(?<![A-Za-z0-9](?<!\\[nrt]))(?:AIza[\w-]{30,40}|AQ\.Ab[\w-]{30,80}|GOCSPX-[\w-]{20,40}|ya29\.[\w.-]{20,2000}|1\/\/0[\w-]{30,200}|4\/0A[\w-]{30,120}|AAAA[\w-]{7}:APA91b[\w-]{60,200})/g,
    // Amazon: ids of keys, also after an escaped line break
    /(?<![A-Za-z0-9](?<!\\[nrt]))(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16}(?![A-Za-z0-9])/g,
    // Amazon: a secret key next to its key id
    /(?:AKIA|ASIA)[A-Z0-9]{16}[\s,:;|"']{1,8}([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/g,
    // Azure: Entra, keys that name their service, DevOps, Cognitive Services
    /(?<![\w.~](?<!\\[nrt]))[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/g,
    /(?<![A-Za-z0-9+/](?<!\\[nrt]))(?:[A-Za-z0-9+/]{76}(?:APIM|ACDb|\+ABa|\+AMC|\+ASt)[A-Za-z0-9+/]{5}[AQgw]==|[A-Za-z0-9+/]{33}(?:AIoT|\+ASb|\+AEh|\+ARm)[A-P][A-Za-z0-9+/]{5}=|[A-Za-z0-9_-]{44}AzFu[\w-]{5}[AQgw]==|[A-Za-z0-9]{42}(?:AzSe|\+ACR)[A-D][A-Za-z0-9]{5}|[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{18,26}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})/g,
    // DigitalOcean, Alibaba, Tencent, Scaleway, Yandex, Cloudflare, Fly, Heroku, Netlify, Vercel, Render, Supabase, PlanetScale, Neon, MongoDB Atlas, Databricks
    /(?<![A-Za-z0-9](?<!\\[nrt]))(?:do[opr]_v1_[a-f0-9]{32,64}|LTAI[A-Za-z0-9]{12,24}|AKID[A-Za-z0-9]{32}|SCW[A-Z0-9]{17}|t1\.[\w-]{20,200}={0,2}\.[\w-]{86}={0,2}|AQVN[\w-]{35,38}|YCA[\w-]{36,40}|v1\.0-[a-f0-9]{24}-[a-f0-9]{120,160}|cf(?:ut|at|k)_[\w-]{40,60}|fo1_[\w-]{40,50}|fm[12][ar]?_[A-Za-z0-9+/]{60,2000}={0,3}|HRKU-[\w-]{30,70}|nf[pocu]_[A-Za-z0-9]{32,44}|vc[pkiar]_[A-Za-z0-9]{24,80}|rnd_[A-Za-z0-9]{20,40}|sb[pv]_(?:v\d_)?[a-f0-9]{40}|sb_secret_[\w-]{20,60}|pscale_(?:tkn|pw|oauth)_[\w=.-]{30,64}|napi_[a-z0-9]{40,80}|mdb_sa_sk_[\w-]{30,50}|dapi[a-f0-9]{32}(?:-\d)?|dose[a-f0-9]{32})(?![A-Za-z0-9])/g,
    // Tunnels of Cloudflare: base64 of `{"a":"`
    /(?<![A-Za-z0-9+/_-](?<!\\[nrt]))eyJhIjoi[A-Za-z0-9+/_-]{80,400}={0,2}/g,
    // OpenShift, Dynatrace, Doppler, Pulumi, Terraform, Vault, Infisical, 1Password, Tailscale
    /(?<![A-Za-z0-9](?<!\\[nrt]))(?:amzn\.mws\.[a-f0-9-]{36}|4b1d[A-Za-z0-9]{38}|sha256~[\w-]{43}|dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}|dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}|pul-[a-f0-9]{40}|[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}|hv[sbr]\.[\w-]{20,300}|st\.[a-f0-9-]{24,36}\.[a-f0-9]{24,40}\.[a-f0-9]{24,40}|ops_eyJ[A-Za-z0-9+/_-]{60,2000}={0,3}|tskey-[a-z]{3,8}-[A-Za-z0-9]{6,24}-[A-Za-z0-9]{20,60})/g,
    /(?<![A-Za-z0-9.](?<!\\[nrt]))s\.[A-Za-z0-9]{24}(?![\w.])|(?<![A-Za-z0-9](?<!\\[nrt]))A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}/g,
  ],
  codeToken: [
    // GitHub, GitLab, Bitbucket, Sourcegraph
    /gh[pousr]_[A-Za-z0-9_]{30,255}|github_pat_[A-Za-z0-9_]{40,255}|gl(?:pat|ptt|dt|rt|rtr|cbt|ft|imt|agent|oas|soat|ffct|wt)-[\w.-]{20,300}|GR1348941[\w-]{20}|(?:ATBB|ATCTT3|ATATT3)[\w=+/-]{24,250}|sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}/g,
    // npm, PyPI, RubyGems, crates.io, NuGet, Docker Hub, Artifactory, Clojars, Prefect, Buildkite, CircleCI, Octopus, SonarQube, Snyk, Harness
    /(?<![A-Za-z0-9](?<!\\[nrt]))(?:npm_[A-Za-z0-9]{30,40}|pypi-[\w-]{40,1000}|rubygems_[a-f0-9]{40,48}|cio[A-Za-z0-9]{32}|oy2[a-z0-9]{43}|dckr_(?:pat|oat)_[\w-]{20,60}|AKCp[A-Za-z0-9]{60,73}|cmVmd[A-Za-z0-9]{50,60}|CLOJARS_[a-z0-9]{60}|pnu_[A-Za-z0-9]{36}|bk[urca]{1,2}_[a-f0-9]{40}|CCI(?:PAT|PRJ)_[\w-]{20,80}|API-[A-Z0-9]{26}|sq[upa]_[a-f0-9]{40}|snyk_[a-z]{2,5}\.[\w.-]{20,200}|[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20})(?![A-Za-z0-9])/g,
  ],
  paymentKey: [
    // Stripe, Square, PayPal (Braintree), Plaid, Razorpay, Paddle, Flutterwave, Adyen, Shippo, Shopify, EasyPost, Duffel, GoCardless
    /(?<![A-Za-z0-9](?<!\\[nrt]))(?:[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,250}|whsec_[A-Za-z0-9+/]{20,100}={0,2}|EAAA[\w-]{40,70}|sq0[a-z]{3}-[\w-]{20,60}|access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}|access-(?:sandbox|development|production)-[a-f0-9-]{36}|rzp_(?:live|test)_[A-Za-z0-9]{14,30}|pdl_(?:live|sdbx)_apikey_[\w]{20,80}|FLW(?:SECK|PUBK)(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?|AQE[A-Za-z0-9][A-Za-z0-9+/]{28,60}={0,2}-[A-Za-z0-9+/]{20,60}={0,2}-[^\s"'`,;\\]{10,60}|shippo_(?:live|test)_[a-fA-F0-9]{40}|shp(?:at|ca|pa|ss|tka|ua)_[a-fA-F0-9]{32,40}|EZ[AT]K[A-Za-z0-9]{54}|duffel_(?:live|test)_[\w=-]{43})/g,
  ],
  messageToken: [
    /(?<=\/bot)\d{7,12}:AA[\w-]{32,34}/g,
    // Slack, Discord, Telegram, Twilio, SendGrid, Mailgun, Mailchimp, Brevo, Resend, Mandrill, MessageBird, Twitch
    /xox[a-z]-[A-Za-z0-9%-]{10,250}|xoxe\.xox[bp]-[\w-]{20,250}|xapp-\d-[A-Za-z0-9-]{20,200}|(?<![A-Za-z0-9](?<!\\[nrt]))(?:mfa\.[\w-]{60,100}|[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,45}|\d{7,12}:AA[\w-]{32,34}|(?:SK|AC)[a-f0-9]{32}|SG\.[\w-]{16,40}\.[\w-]{16,80}|(?:pub)?key-[a-f0-9]{32}|[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}|[a-f0-9]{32}-us\d{1,2}|xkeysib-[a-f0-9]{40,64}-[A-Za-z0-9]{12,16}|xsmtpsib-[a-f0-9]{40,64}-[A-Za-z0-9]{12,16}|re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{18,30}|md-[A-Za-z0-9_-]{22}|oauth:[a-z0-9]{30})(?![A-Za-z0-9-])/g,
  ],
  serviceToken: [
    // New Relic, Sentry, Grafana, Honeycomb, PostHog, Datadog, LaunchDarkly
    /(?<![A-Za-z0-9](?<!\\[nrt]))(?:NR(?:AK|II|RA|JS|BR|IQ|LS|SP)-[A-Za-z0-9_-]{19,40}|[a-f0-9]{30,40}NRAL|sntry[sua]_[A-Za-z0-9+/=_]{40,500}|gl(?:sa|c)_[A-Za-z0-9+/_=]{32,400}|eyJrIjoi[A-Za-z0-9+/]{40,400}={0,2}|hc[a-z]ik_[a-z0-9]{40,70}|ph[xs]_[A-Za-z0-9]{40,60}|dd(?:api|app)_[A-Za-z0-9]{20,60}|(?:sdk|api|mob)-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12})(?![A-Za-z0-9])/g,
    // Notion, Linear, Figma, Airtable, Asana, Atlassian, Trello, HubSpot, ClickUp, Salesforce, Intercom, Typeform, Dropbox, Contentful, Postman, ReadMe, Frame.io, Mapbox, Facebook, MaxMind
    /(?<![A-Za-z0-9](?<!\\[nrt]))(?:ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{40,50}|lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,64}|fig[a-z]{1,2}_[A-Za-z0-9_-]{30,60}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|\d\/\d{10,20}(?:\/\d{10,20})?:[a-f0-9]{32}|ATTA[a-f0-9]{60,80}|pat-[a-z]{2}\d-[a-f0-9-]{36}|pk_\d{5,12}_[A-Z0-9]{32}|00D[A-Za-z0-9]{12,15}![\w.]{60,120}|dG9rO[A-Za-z0-9+/]{30,80}={0,2}|tfp_[\w.=-]{40,64}|sl\.[A-Za-z0-9_-]{60,2000}|CFPAT-[\w-]{43}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|rdme_[a-z0-9]{70}|fio-u-[\w=-]{64}|sk\.eyJ[\w-]{40,120}\.[\w-]{20,30}|EAA[A-Za-z0-9]{60,300}|[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)(?![A-Za-z0-9])/g,
    // Adobe, Authress, Elastic, Infracost, Scalingo
    /(?<![A-Za-z0-9](?<!\\[nrt]))(?:p8e-[A-Za-z0-9]{32}|(?:ext|sc|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[\w+/=-]{30,120}|essu_[A-Za-z0-9+/=]{40,120}|ico-[A-Za-z0-9]{32}|tk-us-[\w-]{48})/g,
  ],
  keyMaterial: [
    // age, extended keys of wallets, private keys as base64, stored password hashes
    /AGE-(?:PLUGIN-[A-Z0-9]{1,20}-|SECRET-KEY-)1[A-Z0-9]{20,120}|(?<![A-Za-z0-9](?<!\\[nrt]))[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,112}|LS0tLS1CRUdJTi(?!BDRVJUSUZJQ0FUR|BQVUJMSUMg)[A-Za-z0-9+/]{20,8000}={0,2}/g,
    /(?<![A-Za-z0-9(](?<!\\[nrt]))\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|[156y]\$[^\s:"']{20,200}|7\$[^\s:"']{20,200}|argon2i?d?\$[^\s:"']{20,300}|scrypt\$[^\s:"']{20,300})|\{S?SHA\d{0,3}\}[A-Za-z0-9+/]{20,120}={0,2}|pbkdf2_sha\d{1,3}\$\d{3,8}\$[^\s"']{20,120}/g,
    // Nostr, Bitcoin, minisign; Maven's encrypted passwords; the bytes of a Solana key
    /(?<![A-Za-z0-9](?<!\\[nrt]))(?:nsec1[02-9ac-hj-np-z]{58}|5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51}|RWRTY0Iy[A-Za-z0-9+/]{60,300}={0,2})(?![A-Za-z0-9])/g,
    /(?<![\w$#%])\{([A-Za-z0-9+/]{40,200}={1,2})\}/g,
    /(?:key ?pair|secret|private|id\.json)[^[\]]{0,60}\[\s{0,4}((?:\d{1,3},\s{0,8}){63}\d{1,3})\s{0,4}\]/gi,
  ],
  webhook: [
    // Slack, Discord, Teams, Zapier, Make, IFTTT, Google Chat, Feishu, DingTalk
    /hooks\.slack(?:-gov)?\.com\/(services|workflows|triggers)\/([A-Za-z0-9+/_-]{20,120})/g,
    /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{15,22}\/[\w-]{30,90})/g,
    /[\w-]{1,60}\.webhook\.office\.com\/webhookb2\/([^\s"'<>\\]{40,300})/g,
    /hooks\.zapier\.com\/hooks\/catch\/([\w/]{8,60})|hook\.(?:eu\d|us\d|integromat)\.(?:make\.)?com\/([A-Za-z0-9]{20,40})|maker\.ifttt\.com\/(?:trigger|use)\/([^\s"'<>\\]{20,120})/g,
    /(?:open\.feishu\.cn|open\.larksuite\.com)\/open-apis\/bot\/v2\/hook\/([a-f0-9-]{36})|oapi\.dingtalk\.com\/robot\/send\?access_token=([a-f0-9]{40,64})|qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=([a-f0-9-]{36})/g,
    // Sentry's addresses hold the key before the host
    /https?:\/\/([a-f0-9]{32})(?::[a-f0-9]{32})?@[\w.-]{4,100}\/\d/g,
  ],
};

/** Names of these rules, as `rule` of a mask. */
export const FORMAT_RULES: readonly string[] = Object.keys(FORMATS);

/** Tokens of a text by their format, except placeholders. */
export function byFormat(text: string): readonly Finding[] {
  return Object.entries(FORMATS).flatMap(([rule, formats]) =>
    formats.flatMap((format) =>
      [...text.matchAll(format)].flatMap((match): readonly Finding[] => {
        const secret = match.slice(1).findLast((group) => group !== undefined) ?? match[0];
        if (isExample(secret)) return [];
        const from = match.index + match[0].lastIndexOf(secret);
        return [{ rule, from, to: from + secret.length }];
      }),
    ),
  );
}
