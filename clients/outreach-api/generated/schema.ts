/** Written by `npm run api-client`. */

export interface paths {
    "/api/v1/webhook-refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Webhooks of the tenant that were answered with a 4xx, newest first
         * @description Calls of one minute with the same reason are one item. They are kept as long as events. Calls that name no known integration belong to no tenant and are in the metric `webhooks_total` alone.
         */
        get: operations["listWebhookRefusals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stores a picture and returns its address, for messages
         * @description PNG, JPEG, GIF or WebP, at most 5 MiB; the bytes decide which, not the `Content-Type`. Whoever knows the address can see the picture. `invalid_state` where no file service is set up (`FILES_URL`).
         */
        post: operations["uploadImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images:check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens the pictures of a message as phones will, and says what is wrong with them
         * @description Warnings keep nothing from being sent. A picture is read within 5 s, three redirects included, and only from the public internet over https.
         */
        post: operations["checkImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Campaigns, newest first */
        get: operations["listCampaigns"];
        put?: never;
        /** Creates a draft */
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/event-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Event codes of replies in the last 100 campaigns, to choose from */
        get: operations["listEventCodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One campaign, with its version as ETag */
        get: operations["getCampaign"];
        put?: never;
        post?: never;
        /** Deletes a draft */
        delete: operations["deleteCampaign"];
        options?: never;
        head?: never;
        /**
         * Changes a draft; a scheduled campaign until it starts; after that only name, note, labels and endsAt
         * @description `messages` replace `messagesBy`, and the other way round. Of a scheduled campaign, `schedule`, `messages`, `messagesBy`, `name`, `note` and `endsAt` may change. Its tasks are cancelled at the platform (A3) and submitted again with the new content (A1). If the platform has begun one of them, the response is 409 `invalid_state`, and what was cancelled is submitted again as it was. Cancelling many tasks takes longer than a request: after 45 s the response has a `pendingEdit` and the content from before, and the change is made later.
         */
        patch: operations["updateCampaign"];
        trace?: never;
    };
    "/api/v1/campaigns/{id}:duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copies the content into a new draft */
        post: operations["duplicateCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}:send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolves the audience, freezes it and starts sending
         * @description With more contacts than `sendsNeedApproval` of the tenant’s settings, it stays a draft, and its `approval` waits.
         */
        post: operations["sendCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}:pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops what has not been submitted yet */
        post: operations["pauseCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}:resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resumes a paused campaign */
        post: operations["resumeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}:cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels scheduled sub-tasks on the platform and those not submitted yet
         * @description 409 if all sub-tasks are known to have begun. Otherwise `cancelOutcome` says how it ended: `too_late` if the platform had begun all of them when A3 arrived, and the campaign then ends as its sub-tasks do.
         */
        post: operations["cancelCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}:close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Closes a sent campaign: nothing more is sent, and its entry source ends (F3); happens automatically at endsAt */
        post: operations["closeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}:retry-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends again to exactly the contacts of sub-tasks that were rejected, or failed with nothing sent
         * @description Nothing sent means a reported `summary.sent` of 0; null is not 0. The platform is asked (A2) first about every task among them: what it has sent after all is not sent again, and what it cannot be asked about stays for another call, as does whatever exceeds 1,000 tasks. 503 if that leaves nothing to retry.
         */
        post: operations["retryFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}:test-send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends the content, even of a draft, to at most 20 chosen contacts; test sends are not counted anywhere
         * @description While `sendsNeedApproval` is set, it reaches only `testContacts` of the tenant’s settings: 403 `test_contacts_only`.
         */
        post: operations["testSendCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/tasks/{key}:resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resolves an unknown sub-task */
        post: operations["resolveSubTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sub-task states and counts; contacts of all states add up to audienceCount */
        get: operations["getProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Server-sent events named `progress`, each a Progress, sent on every change */
        get: operations["streamProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Progress with clicks, conversations and tags */
        get: operations["getResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sub-tasks of every send of the campaign */
        get: operations["listSubTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/clicks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Attributed clicks, newest first */
        get: operations["listClicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Campaigns and automations that begin within a period, and the coming runs of active repeats
         * @description Drafts are left out. In [from, to), at most 62 days.
         */
        get: operations["getCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}:withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes back the own request for approval; the campaign can be changed again, and one that is paused is cancelled */
        post: operations["withdrawSend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Templates, those that were changed last first */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Keeps a card, any one message as a snippet, or a campaign with its variants and what follows, to make campaigns from
         * @description Texts may have variables, written `{{name}}`, which are declared in `variables` and filled once for each campaign that is made from it. 409 `conflict` with 500 templates.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/{templateId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One template with its newest version */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        /** Deletes a template with its versions; campaigns that were made from it stay as they are */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        /**
         * Renames a template, or gives it a new version
         * @description 409 `conflict` if the template has another version than `basedOn` by now. Earlier versions stay.
         */
        patch: operations["updateTemplate"];
        trace?: never;
    };
    "/api/v1/templates/{templateId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The versions of a template, newest first */
        get: operations["listTemplateVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/{templateId}:restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives a template a new version that is the same as an earlier one */
        post: operations["restoreTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/{templateId}:use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a draft from the newest version, with a value for each variable
         * @description The filled texts are the campaign’s own: it says which version they are from (`template`), and changes of the template do not reach it. A variable without a value has its default. In addresses, values are encoded.
         */
        post: operations["useTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}:dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rehearses a send without the platform, and stores the resolved set in place of the last one
         * @description Only for drafts. `requests` shows the first three A1 bodies: sub-tasks get their keys only when they are sent, so `subTaskKey` is `dry-run-<n>`, and an InboundReason has no `sourceId` yet (warning `source_pending`). What `:send` would reject with 409 `audience_empty`, or with 422 for a time in the past, is a warning here.
         */
        post: operations["dryRunCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/audience-drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Contacts that the first send reached but the last dry run before it did not, and vice versa
         * @description One reason per contact, the first that applies, as of the send; the platform’s governance is not visible for a single contact. Each side lists at most 1,000 contacts, by id; the counts and `reasons` cover all of them. The stored set is that of `:dry-run`: `/audiences:preview` belongs to no campaign and stores nothing; `expectedReachableCount` compares its count with the send. If no dry run was made (`dryRun` is null) or nothing was sent (`sent` is null), there is nothing to compare and both lists are empty. A retry sends to contacts of the first send, so it has no drift of its own.
         */
        get: operations["getAudienceDrift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What can be done with a campaign now, and how many contacts it would affect */
        get: operations["getPossibleActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/dispatches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sends of a campaign with their frozen audiences, oldest first */
        get: operations["listDispatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/tasks/{key}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The contacts frozen for a sub-task, by id
         * @description Of a rejected sub-task these are the contacts that the platform named, or all that it refused.
         */
        get: operations["listSubTaskContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/recipients/{contactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether a contact was in the frozen audience, and the outcome of its sub-tasks */
        get: operations["getRecipient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The contacts of a campaign by id, with what each did and why that is known
         * @description A page may have fewer contacts than its limit, or none, and others after it: what few contacts did is looked for in 20,000 of them at a time.
         */
        get: operations["listCampaignContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every change and transition of a campaign, newest first */
        get: operations["getCampaignHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/control-group/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All contacts against the tenant’s control group: how many converted, and what they paid
         * @description Contacts that were known before `from` count, those of the control group on one side and all others on the other. What happened in [from, to) is compared as a campaign’s lift is; tags that clicks and conversations of campaigns gave are left out. `from` may not be before the control group was as it is now (`since` of the settings).
         */
        get: operations["getTenantLift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Those sent to against the control group: how many converted, the difference and its 95 % interval
         * @description Everybody in the frozen audience counts in the arm of the campaign’s first send, whatever became of the message. The window begins for all of them when the platform begins to send, and lasts `windowDays` × 24 hours. A conversion is what can happen to both alike: a conversation on the campaign’s service number, whatever led to it, or a tag (the ten that most of them got). Tags that the campaign’s own clicks and conversations gave are left out: nobody in the control group could get them. The interval is Newcombe’s hybrid score interval (1998, method 10). Below 100 conversions in either arm the verdict is `too_few`. Each comparison is one of 95 %: among many, some are wrong.
         */
        get: operations["getLift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/variants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The test of the campaign’s variants: what each brought about, and whether one is proven to be the best
         * @description Who gets which variant is drawn when the audience is frozen. `verdict` may be asked as often as one likes: a sequential test (a beta-binomial mixture, with closed testing for more than two variants) names a false winner in less than 5 % of all tests without an effect, however often it is looked at. The figures of the variants and of the rest add up to those of the campaign.
         */
        get: operations["getVariantTest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/variants:choose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Chooses the variant that the rest of the audience gets, and sends it
         * @description At any time while the rest waits, proven or not. It cannot be taken back. A variant that the platform has refused cannot be chosen.
         */
        post: operations["chooseVariant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What follows the campaign, and where each step is
         * @description A step is due so long after the last contacts of the message before it were submitted. It is then sent as a campaign of its own, to those who were reached and did, or did not do, what its condition says by then; whoever acts later is not decided about again. It waits while the message before it is under way. Its content and audience are part of what was approved with the campaign.
         */
        get: operations["listSteps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/steps:cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels the steps that were not sent, from one on; what was sent goes on */
        post: operations["cancelSteps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/steps:resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resumes a paused step, which is then sent when it is due, or at once if it was */
        post: operations["resumeSteps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the last dry run forecast of the send, beside what it took
         * @description Of the first send, until the platform has finished it; a campaign that was paused, changed or sent again took longer for reasons that no forecast knows. A dry run learns from at most 20 sends of the service number in the last 90 days.
         */
        get: operations["getForecast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/clicks:save-audience": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Saves those who clicked as a list
         * @description Contacts that the service number does not know any more are left out. Large numbers take longer than a request: after 20 s the rest is done in the background. The list has `isComplete` once everybody is in it.
         */
        post: operations["saveClickers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/clicks:tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a tag to those who clicked; whoever has it keeps it as it is
         * @description Contacts that the service number does not know any more are left out. Large numbers take longer than a request: after 20 s the rest is done in the background.
         */
        post: operations["tagClickers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/contacts:save-audience": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Saves the contacts with an outcome as a list, which does not change with the campaign
         * @description Contacts that the service number does not know any more are left out. Large numbers take longer than a request: after 20 s the rest is done in the background. The list has `isComplete` once everybody is in it.
         */
        post: operations["saveCampaignContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/contacts:tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a tag to the contacts with an outcome; whoever has it keeps it as it is
         * @description Contacts that the service number does not know any more are left out. Large numbers take longer than a request: after 20 s the rest is done in the background.
         */
        post: operations["tagCampaignContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}:follow-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copies the content into a new draft for those who received the campaign and did not click
         * @description Its audience is a new list. Contacts that the service number does not know any more are left out. Large numbers take longer than a request: after 20 s the rest is done in the background. The draft can be sent once the list is complete.
         */
        post: operations["followUpCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/repeats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Campaigns on a calendar, newest first */
        get: operations["listRepeats"];
        put?: never;
        /**
         * Sends copies of a campaign on a calendar
         * @description Each run copies the content of the campaign as it then is, resolves its audience and sends it, as `:send` does: limits, approval, pace and holdout apply. A wall time that clocks skip runs at the first moment after it; one that they show twice runs once. A run that is more than six hours late is recorded as missed; so is one, as `overlap`, while the campaign of the one before is still under way.
         */
        post: operations["createRepeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/repeats/{repeatId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One campaign on a calendar */
        get: operations["getRepeat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes when it runs, until when, and whom it leaves out; for the next run on */
        patch: operations["updateRepeat"];
        trace?: never;
    };
    "/api/v1/repeats/{repeatId}:pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops its runs until it is resumed; campaigns that it has sent go on */
        post: operations["pauseRepeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/repeats/{repeatId}:resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Goes on with the next time of its calendar, in the name of the caller */
        post: operations["resumeRepeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/repeats/{repeatId}:end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends it for good; campaigns that it has sent go on */
        post: operations["endRepeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/repeats/{repeatId}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Its runs, newest first, with their campaigns */
        get: operations["listRepeatRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Campaigns that begin by themselves, newest first */
        get: operations["listAutomations"];
        put?: never;
        /**
         * Creates the draft of a campaign that begins by itself
         * @description Each contact that the trigger brings and the filter matches gets the steps, one after the other, each when it is due. The first step has neither `delay` nor `if`: `delay` of the automation counts from the time of the event, that of a later step from when the platform accepted the one before.
         */
        post: operations["createAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{automationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One automation, with its entries by status */
        get: operations["getAutomation"];
        put?: never;
        post?: never;
        /** Deletes a draft */
        delete: operations["deleteAutomation"];
        options?: never;
        head?: never;
        /**
         * Changes an automation
         * @description A draft changes in all but its service number. Once active: `name`, `endsAt`, `maxPerDay`, `quietHours`, `exitOn`, `utm`, and the messages of the steps; what is submitted from then on has the new content. Once ended: `name`.
         */
        patch: operations["updateAutomation"];
        trace?: never;
    };
    "/api/v1/automations/{automationId}:activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins with causes from now on
         * @description Where sends of the tenant need approval, 202: it stays a draft until somebody else approves it (`:approve`).
         */
        post: operations["activateAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{automationId}:pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends nothing until it is resumed; causes go on to count */
        post: operations["pauseAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{automationId}:resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends what is due; what has been due for more than 24 hours is skipped */
        post: operations["resumeAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{automationId}:end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends it for good; what waits is skipped */
        post: operations["endAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{automationId}:withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes back the own request for approval */
        post: operations["withdrawAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{automationId}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Causes and what became of each, newest first
         * @description Reasons: duplicate, held_back, control_group, filter, quiet, late, exit, condition, no_case, unreachable, limit, refused, erased, ended, uninstalled.
         */
        get: operations["listAutomationEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{automationId}/entries.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as a file
         * @description Streamed, page by page. A value that a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: operations["exportAutomationEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{automationId}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of its entries and messages, by step and by day */
        get: operations["getAutomationResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{automationId}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Its sub-tasks */
        get: operations["listAutomationTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{automationId}/tasks/{key}:resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resolves an unknown sub-task */
        post: operations["resolveAutomationTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{automationId}:dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whom it would have taken in the last days
         * @description Decides about the causes of these days as the automation would have: duplicates, holdout, and the filter as of each cause; of more than 2,000 causes the filter is looked at 2,000 times. Limits, quiet hours and exits are not rehearsed.
         */
        post: operations["dryRunAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audiences:preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Counts whom an audience reaches now, or would have reached at an earlier time, and why the others are not reached */
        post: operations["previewAudience"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audiences:explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether an audience has one contact, now or at an earlier time, and why or why not */
        post: operations["explainAudience"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audiences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Saved audiences, newest first */
        get: operations["listAudiences"];
        put?: never;
        /** Saves a list of contacts, a tag filter or a segment */
        post: operations["createAudience"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audiences/{audienceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One saved audience */
        get: operations["getAudience"];
        put?: never;
        post?: never;
        /** Deletes a saved audience; past sends keep their own snapshot */
        delete: operations["deleteAudience"];
        options?: never;
        head?: never;
        /** Changes a saved audience; its service number and type are fixed */
        patch: operations["updateAudience"];
        trace?: never;
    };
    "/api/v1/audiences/{audienceId}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Contacts that a saved audience matches now, by id, and whether each is reached */
        get: operations["listAudienceContacts"];
        /**
         * Replaces a list with the contactIds of a CSV, all or nothing
         * @description One contactId per line, or a column of a table: the one given, else the one that a header names `contactId`. UTF-8 or UTF-16. Blanks and marks without a width around an id, and the apostrophe of our own exports, are no part of it; blank lines and repeated headers are left out. A file without a valid line is refused. An invalid line refuses the file, with its number and its text, unless `invalidLines` is `skip`. A file has at most 256 MiB, also once unpacked (`Content-Encoding: gzip`), and a tenant uploads two at once.
         */
        put: operations["replaceAudienceContacts"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audiences/{audienceId}/contacts:restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Puts back the list that the last file replaced
         * @description For 30 days. What the list has now is kept instead, so that the same call undoes it.
         */
        post: operations["restoreAudienceContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service-numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The platform’s service numbers of this tenant */
        get: operations["listServiceNumbers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service-numbers:counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Contacts of all service numbers of this tenant, by follow state and unsubscription */
        get: operations["countContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Contacts of a service number */
        get: operations["listContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The values that contacts have for a field of the profile, those of most contacts first */
        get: operations["listContactValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/{snId}/{contactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One contact */
        get: operations["getContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/{snId}/{contactId}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was sent to one contact and what the contact did, newest first */
        get: operations["getContactTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tags; archived ones only if requested by status */
        get: operations["listTags"];
        put?: never;
        /** Creates a tag of a service number */
        post: operations["createTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags/{tagId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One tag */
        get: operations["getTag"];
        put?: never;
        post?: never;
        /** Archives a tag; its assignments stay readable */
        delete: operations["archiveTag"];
        options?: never;
        head?: never;
        /** Changes name, colour or expiry; a later expiresAt revives an expired tag */
        patch: operations["updateTag"];
        trace?: never;
    };
    "/api/v1/tags/{tagId}/assignments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Contacts with this tag, newest first, each with its origin */
        get: operations["listTagAssignments"];
        put?: never;
        /** Gives the tag to contacts; duplicate ids and repeated calls change nothing */
        post: operations["assignTag"];
        /** Removes the tag from contacts */
        delete: operations["unassignTag"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/{snId}/{contactId}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tags of one contact, each with the reason for it */
        get: operations["listContactTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smart-tag-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Smart tag rules, newest first */
        get: operations["listSmartTagRules"];
        put?: never;
        /** Creates a rule that gives a tag to contacts of the tag's service number */
        post: operations["createSmartTagRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smart-tag-rules/{ruleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One rule */
        get: operations["getSmartTagRule"];
        put?: never;
        post?: never;
        /** Removes a rule; the tags it assigned stay, and its versions stay readable */
        delete: operations["deleteSmartTagRule"];
        options?: never;
        head?: never;
        /** Changes, pauses or resumes a rule; a changed definition becomes a new version */
        patch: operations["updateSmartTagRule"];
        trace?: never;
    };
    "/api/v1/smart-tag-rules/{ruleId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every definition of a rule, newest first, even after the rule was removed */
        get: operations["listSmartTagRuleVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smart-tag-rules/{ruleId}:backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whom the rule would have tagged for events between from and to, both inclusive, and the first 1,000 ids in that order; changes nothing. One at a time per tenant, for at most 50 s */
        post: operations["backtestSmartTagRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/event-inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Received events, newest first */
        get: operations["listInboxEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/event-inbox:summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many events are waiting or have failed, and of which kind; the 100 largest kinds */
        get: operations["getInboxSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/event-inbox:replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Has all failed events of a kind handled again */
        post: operations["replayInboxKind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/event-inbox/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One received event with its payload */
        get: operations["getInboxEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/event-inbox/{eventId}:replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Has a failed or dismissed event handled again */
        post: operations["replayInboxEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/event-inbox/{eventId}:dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts a failed event aside, with a reason for the audit log; it can still be replayed */
        post: operations["dismissInboxEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who did what, newest first */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-log/{auditId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One entry with its full state before and after */
        get: operations["getAuditEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events of the last 30 days, oldest first, as endpoints receive them
         * @description To catch up after a receiver was away, or instead of one: `after` is the `eventId` read last, and `nextCursor` the next `after` while there are more. An event never appears before one that was read already. They are written while the tenant has an endpoint, for the types that one receives, and of every type from the first call of this operation on.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What needs attention, and what worked in a period and in the one before */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/standing-campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Campaigns that have made no progress for longer than expected, with the reason
         * @description What counts as progress, and how long each phase may go on without, is the same for operators and for alerts. At most 500.
         */
        get: operations["listStandingCampaigns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Campaigns with their figures, newest first
         * @description Streamed, page by page: rows that change while it is read may be in their old or new state. A value that a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: operations["exportCampaigns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Contacts, by service number and id
         * @description Streamed, page by page: rows that change while it is read may be in their old or new state. A value that a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: operations["exportContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tags, by name; archived ones only if requested by status
         * @description Streamed, page by page: rows that change while it is read may be in their old or new state. A value that a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: operations["exportTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Smart tag rules, newest first
         * @description Streamed, page by page: rows that change while it is read may be in their old or new state. A value that a spreadsheet would take for a formula begins with an apostrophe. `matchCondition` is JSON.
         */
        get: operations["exportRules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/recipients.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everybody that a campaign was frozen for, with their newest sub-task and first click
         * @description Streamed, page by page: rows that change while it is read may be in their old or new state. A value that a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: operations["exportRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/contacts.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The contacts of a campaign by id, with what each did
         * @description Streamed, page by page: rows that change while it is read may be in their old or new state. A value that a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: operations["exportCampaignContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/clicks.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attributed clicks, newest first
         * @description Streamed, page by page: rows that change while it is read may be in their old or new state. A value that a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: operations["exportClicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags/{tagId}/assignments.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Contacts with a tag, newest first
         * @description Streamed, page by page: rows that change while it is read may be in their old or new state. A value that a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: operations["exportAssignments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audiences/{audienceId}/contacts.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Contacts that a saved audience matches now, by id, and whether each is reached
         * @description Streamed, page by page: rows that change while it is read may be in their old or new state. A value that a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: operations["exportAudienceContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-log.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who did what, newest first
         * @description Streamed, page by page: rows that change while it is read may be in their old or new state. A value that a spreadsheet would take for a formula begins with an apostrophe. `detail` is JSON with `before` and `after`; one that is too long for a list is left out, and `auditId` names the entry.
         */
        get: operations["exportAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns:close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Closes several campaigns: nothing more is sent for them
         * @description At most 200 ids, in one transaction. The response says of each id, in their order, whether it was `done`, was so before (`unchanged`), or was `refused`, and why; one that is refused does not stop the others. Repeating the request changes nothing more.
         */
        post: operations["closeCampaigns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags/{tagId}/assignments:batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a tag to several contacts of the tag's service number
         * @description At most 200 ids, in one transaction. The response says of each id, in their order, whether it was `done`, was so before (`unchanged`), or was `refused`, and why; one that is refused does not stop the others. Repeating the request changes nothing more.
         */
        post: operations["tagContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags:archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archives several tags; their assignments stay readable
         * @description At most 200 ids, in one transaction. The response says of each id, in their order, whether it was `done`, was so before (`unchanged`), or was `refused`, and why; one that is refused does not stop the others. Repeating the request changes nothing more.
         */
        post: operations["archiveTags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smart-tag-rules:remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Removes several rules; the tags they assigned stay
         * @description At most 200 ids, in one transaction. The response says of each id, in their order, whether it was `done`, was so before (`unchanged`), or was `refused`, and why; one that is refused does not stop the others. Repeating the request changes nothing more.
         */
        post: operations["removeSmartTagRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/event-inbox:replay-selected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Has several failed or dismissed events handled again
         * @description At most 200 ids, in one transaction. The response says of each id, in their order, whether it was `done`, was so before (`unchanged`), or was `refused`, and why; one that is refused does not stop the others. Repeating the request changes nothing more.
         */
        post: operations["replayInboxEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/event-inbox:dismiss-selected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Puts several failed events aside, with one reason for the audit log
         * @description At most 200 ids, in one transaction. The response says of each id, in their order, whether it was `done`, was so before (`unchanged`), or was `refused`, and why; one that is refused does not stop the others. Repeating the request changes nothing more.
         */
        post: operations["dismissInboxEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is up */
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is up */
        get: operations["livez"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether an API has its database, and a worker polls */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        WebhookRefusal: {
            tenantIntegrationId: string;
            /** @enum {string} */
            reason: "signature" | "replaced_secret" | "nonce" | "nonce_replayed" | "uninstalled" | "too_large" | "incomplete" | "not_json" | "schema";
            /** @enum {string} */
            code: "invalid_request" | "unauthorized" | "forbidden" | "test_contacts_only" | "own_request" | "not_found" | "phase_2" | "too_slow" | "conflict" | "invalid_state" | "in_use" | "approval_required" | "nonce_replayed" | "audience_changed" | "audience_empty" | "gone" | "stale" | "too_large" | "unsupported_media_type" | "invalid_content" | "idempotency_key_reused" | "if_match_required" | "rate_limited" | "internal" | "unavailable";
            status: number;
            calls: number;
            /** Format: date-time */
            firstAt: string;
            /** Format: date-time */
            lastAt: string;
            lastBytes: number | null;
            lastEventId: string | null;
            lastEventType: string | null;
            lastDetail: string | null;
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            /** @enum {string} */
            code: "invalid_request" | "unauthorized" | "forbidden" | "test_contacts_only" | "own_request" | "not_found" | "phase_2" | "too_slow" | "conflict" | "invalid_state" | "in_use" | "approval_required" | "nonce_replayed" | "audience_changed" | "audience_empty" | "gone" | "stale" | "too_large" | "unsupported_media_type" | "invalid_content" | "idempotency_key_reused" | "if_match_required" | "rate_limited" | "internal" | "unavailable";
            detail: string;
            requestId: string;
            errors?: {
                path: string;
                message: string;
                code?: string;
                params?: {
                    [key: string]: number | string;
                };
            }[];
            counts?: {
                [key: string]: number;
            };
        };
        Image: {
            /** Format: uri */
            url: string;
        };
        ImageCheck: {
            url: string;
            width: number | null;
            height: number | null;
            bytes: number | null;
            warnings: ("not_public" | "unreachable" | "refused" | "not_an_image" | "broken" | "too_large" | "heavy" | "large" | "small")[];
        };
        ListedCampaign: {
            id: string;
            etag: string;
            serviceNumberId: string;
            name: string;
            note: string | null;
            channels: string[];
            messages: ({
                /** @enum {string} */
                type: "buttons";
                title: string;
                text: string;
                /** Format: uri */
                image?: string;
                actions: ({
                    /** @enum {string} */
                    type: "Postback";
                    label: string;
                    data?: string | {
                        [key: string]: unknown;
                    };
                    title?: string;
                    text?: string;
                    /** Format: uri */
                    imageUrl?: string;
                    displayText?: string;
                    isDefault?: boolean;
                } | {
                    /** @enum {string} */
                    type: "Url";
                    label: string;
                    /** Format: uri */
                    url: string;
                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                    tracked?: boolean;
                    title?: string;
                    text?: string;
                    /** Format: uri */
                    imageUrl?: string;
                    displayText?: string;
                    isDefault?: boolean;
                })[];
            } | {
                /** @enum {string} */
                type: "text";
                text: string;
            } | {
                /** @enum {string} */
                type: "image";
                /** Format: uri */
                url: string;
            } | {
                /** @enum {string} */
                type: "file";
                /** Format: uri */
                url: string;
                name: string;
            })[] | null;
            messagesBy: {
                field: ("language" | "region" | "channel") | {
                    attribute: string;
                };
                cases: {
                    values: string[];
                    messages: ({
                        /** @enum {string} */
                        type: "buttons";
                        title: string;
                        text: string;
                        /** Format: uri */
                        image?: string;
                        actions: ({
                            /** @enum {string} */
                            type: "Postback";
                            label: string;
                            data?: string | {
                                [key: string]: unknown;
                            };
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        } | {
                            /** @enum {string} */
                            type: "Url";
                            label: string;
                            /** Format: uri */
                            url: string;
                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                            tracked?: boolean;
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        })[];
                    } | {
                        /** @enum {string} */
                        type: "text";
                        text: string;
                    } | {
                        /** @enum {string} */
                        type: "image";
                        /** Format: uri */
                        url: string;
                    } | {
                        /** @enum {string} */
                        type: "file";
                        /** Format: uri */
                        url: string;
                        name: string;
                    })[];
                }[];
                otherwise: ({
                    /** @enum {string} */
                    type: "buttons";
                    title: string;
                    text: string;
                    /** Format: uri */
                    image?: string;
                    actions: ({
                        /** @enum {string} */
                        type: "Postback";
                        label: string;
                        data?: string | {
                            [key: string]: unknown;
                        };
                        title?: string;
                        text?: string;
                        /** Format: uri */
                        imageUrl?: string;
                        displayText?: string;
                        isDefault?: boolean;
                    } | {
                        /** @enum {string} */
                        type: "Url";
                        label: string;
                        /** Format: uri */
                        url: string;
                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                        tracked?: boolean;
                        title?: string;
                        text?: string;
                        /** Format: uri */
                        imageUrl?: string;
                        displayText?: string;
                        isDefault?: boolean;
                    })[];
                } | {
                    /** @enum {string} */
                    type: "text";
                    text: string;
                } | {
                    /** @enum {string} */
                    type: "image";
                    /** Format: uri */
                    url: string;
                } | {
                    /** @enum {string} */
                    type: "file";
                    /** Format: uri */
                    url: string;
                    name: string;
                })[] | "skip";
            } | null;
            variants: {
                name: string;
                sharePercent: number;
                others: {
                    name: string;
                    sharePercent: number;
                    messages: ({
                        /** @enum {string} */
                        type: "buttons";
                        title: string;
                        text: string;
                        /** Format: uri */
                        image?: string;
                        actions: ({
                            /** @enum {string} */
                            type: "Postback";
                            label: string;
                            data?: string | {
                                [key: string]: unknown;
                            };
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        } | {
                            /** @enum {string} */
                            type: "Url";
                            label: string;
                            /** Format: uri */
                            url: string;
                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                            tracked?: boolean;
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        })[];
                    } | {
                        /** @enum {string} */
                        type: "text";
                        text: string;
                    } | {
                        /** @enum {string} */
                        type: "image";
                        /** Format: uri */
                        url: string;
                    } | {
                        /** @enum {string} */
                        type: "file";
                        /** Format: uri */
                        url: string;
                        name: string;
                    })[];
                }[];
                winner: {
                    by: {
                        /** @enum {string} */
                        type: "clicks";
                    } | {
                        /** @enum {string} */
                        type: "eventCode";
                        bizEventCode: string;
                    } | {
                        /** @enum {string} */
                        type: "tag";
                        tagId: string;
                    };
                    /** @enum {string} */
                    decide: "hand" | "automatic";
                    afterHours: number;
                    /** @enum {string} */
                    otherwise: "best" | "hand";
                    minimum: number;
                };
            } | null;
            audience: {
                /** @enum {string} */
                type: "contacts";
                audienceId?: string;
                contactCount?: number;
                take?: {
                    percent: number;
                } | {
                    atMost: number;
                };
            } | {
                /** @enum {string} */
                type: "app_tags";
                appTagIds: string[];
                /** @enum {string} */
                tagOperator: "AND" | "OR";
                excludeTagIds?: string[];
                take?: {
                    percent: number;
                } | {
                    atMost: number;
                };
            } | {
                /** @enum {string} */
                type: "segment";
                segment: components["schemas"]["Segment"];
                take?: {
                    percent: number;
                } | {
                    atMost: number;
                };
            } | ({
                /** @enum {string} */
                type: "ai_query";
            } & {
                [key: string]: unknown;
            });
            schedule: {
                /** @enum {string} */
                type: "immediate";
            } | {
                /** @enum {string} */
                type: "scheduled";
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                audience?: "now" | "at_start";
            };
            /** Format: date-time */
            endsAt: string | null;
            holdoutPercent: number | null;
            revenueWindowDays: number | null;
            pace: {
                perMinute?: number;
                /** Format: date-time */
                evenlyUntil?: string;
                quietHours?: {
                    /** @description A time of day, as 21:00 */
                    from: string;
                    /** @description A time of day, as 21:00 */
                    to: string;
                    zone: string;
                };
                /** Format: date-time */
                deadline?: string;
            } | null;
            steps: {
                after: {
                    amount: number;
                    /** @enum {string} */
                    unit: "hours" | "days";
                };
                condition: {
                    /** @enum {string} */
                    outcome: "clicked" | "not_clicked" | "conversed" | "not_conversed";
                    messageIndex?: number;
                    actionIndex?: number;
                    bizEventCode?: string;
                };
                messages?: ({
                    /** @enum {string} */
                    type: "buttons";
                    title: string;
                    text: string;
                    /** Format: uri */
                    image?: string;
                    actions: ({
                        /** @enum {string} */
                        type: "Postback";
                        label: string;
                        data?: string | {
                            [key: string]: unknown;
                        };
                        title?: string;
                        text?: string;
                        /** Format: uri */
                        imageUrl?: string;
                        displayText?: string;
                        isDefault?: boolean;
                    } | {
                        /** @enum {string} */
                        type: "Url";
                        label: string;
                        /** Format: uri */
                        url: string;
                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                        tracked?: boolean;
                        title?: string;
                        text?: string;
                        /** Format: uri */
                        imageUrl?: string;
                        displayText?: string;
                        isDefault?: boolean;
                    })[];
                } | {
                    /** @enum {string} */
                    type: "text";
                    text: string;
                } | {
                    /** @enum {string} */
                    type: "image";
                    /** Format: uri */
                    url: string;
                } | {
                    /** @enum {string} */
                    type: "file";
                    /** Format: uri */
                    url: string;
                    name: string;
                })[] | null;
                messagesBy?: {
                    field: ("language" | "region" | "channel") | {
                        attribute: string;
                    };
                    cases: {
                        values: string[];
                        messages: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[];
                    }[];
                    otherwise: ({
                        /** @enum {string} */
                        type: "buttons";
                        title: string;
                        text: string;
                        /** Format: uri */
                        image?: string;
                        actions: ({
                            /** @enum {string} */
                            type: "Postback";
                            label: string;
                            data?: string | {
                                [key: string]: unknown;
                            };
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        } | {
                            /** @enum {string} */
                            type: "Url";
                            label: string;
                            /** Format: uri */
                            url: string;
                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                            tracked?: boolean;
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        })[];
                    } | {
                        /** @enum {string} */
                        type: "text";
                        text: string;
                    } | {
                        /** @enum {string} */
                        type: "image";
                        /** Format: uri */
                        url: string;
                    } | {
                        /** @enum {string} */
                        type: "file";
                        /** Format: uri */
                        url: string;
                        name: string;
                    })[] | "skip";
                } | null;
            }[] | null;
            utm: {
                source?: string;
                medium?: string;
                campaign?: string;
                term?: string;
                content?: string;
            } | null;
            labels: string[];
            /** @enum {string} */
            status: "draft" | "scheduled" | "sending" | "paused" | "completed" | "partially_failed" | "failed" | "cancelled" | "closed";
            /** @enum {string|null} */
            pauseReason: "operator" | "unauthorized" | "late" | "approval" | "deadline" | null;
            /** @enum {string|null} */
            cancelOutcome: "cancelled" | "partly" | "too_late" | null;
            pendingEdit: {
                requestedBy: string;
                /** Format: date-time */
                requestedAt: string;
            } | null;
            approval: components["schemas"]["SendApproval"];
            template?: {
                templateId: string;
                version: number;
            } | null;
            stepOf?: {
                campaignId: string;
                name: string;
                position: number;
            } | null;
            runOf?: {
                repeatId: string;
                name: string;
            } | null;
            sentTwice: number;
            sourceId: string | null;
            audienceCount: number | null;
            controlCount: number | null;
            skippedByCase: number | null;
            summary: {
                sent: number;
                delivered: number;
                failed: number;
                read: number;
            };
            clickedContacts: number;
            createdBy: string;
            editedBy: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            sentAt: string | null;
            confirmedBy: string | null;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            /** Format: date-time */
            closedAt: string | null;
        };
        Segment: {
            all: components["schemas"]["Segment"][];
        } | {
            any: components["schemas"]["Segment"][];
        } | {
            not: components["schemas"]["Segment"];
        } | {
            tag: string;
        } | {
            inList: {
                audienceId: string;
            };
        } | {
            reached: {
                campaignIds: string[];
                times?: {
                    gte?: number;
                    lte?: number;
                };
            } | {
                lastDays: number;
                times?: {
                    gte?: number;
                    lte?: number;
                };
            };
        } | {
            clicked: {
                campaigns: {
                    campaignIds: string[];
                } | {
                    lastDays: number;
                };
                messageIndex?: number;
                actionIndex?: number;
                bizEventCode?: string;
                times?: {
                    gte?: number;
                    lte?: number;
                };
            };
        } | {
            conversed: {
                campaignIds: string[];
                times?: {
                    gte?: number;
                    lte?: number;
                };
            } | {
                lastDays: number;
                times?: {
                    gte?: number;
                    lte?: number;
                };
            };
        } | {
            entered: {
                lastDays: number;
            } | {
                /** Format: date */
                before: string;
            } | {
                /** Format: date */
                after: string;
            };
        } | {
            profile: {
                /** @enum {string} */
                field: "channel" | "language" | "region" | "attribute";
                name?: string;
                test: {
                    /** @enum {string} */
                    op: "eq";
                    value: string;
                    fold?: boolean;
                } | {
                    /** @enum {string} */
                    op: "ne";
                    value: string;
                    fold?: boolean;
                } | {
                    /** @enum {string} */
                    op: "in";
                    values: string[];
                    fold?: boolean;
                } | {
                    /** @enum {string} */
                    op: "exists";
                } | {
                    /** @enum {string} */
                    op: "before";
                    /** Format: date */
                    date: string;
                } | {
                    /** @enum {string} */
                    op: "after";
                    /** Format: date */
                    date: string;
                } | {
                    /** @enum {string} */
                    op: "days_ago";
                    from: number;
                    to: number;
                };
            };
        };
        SendApproval: {
            approvalId: string;
            contacts: number;
            above: number;
            requestedBy: string;
            /** Format: date-time */
            requestedAt: string;
            /** @enum {string|null} */
            outcome: "approved" | "rejected" | "withdrawn" | null;
            decidedBy: string | null;
            /** Format: date-time */
            decidedAt: string | null;
            rejection: string | null;
            /** @enum {string} */
            reason: "contacts" | "sum";
            sum: {
                contacts: number;
                /** Format: date-time */
                since: string;
            } | null;
        } | null;
        Campaign: {
            id: string;
            etag: string;
            serviceNumberId: string;
            name: string;
            note: string | null;
            channels: string[];
            messages: ({
                /** @enum {string} */
                type: "buttons";
                title: string;
                text: string;
                /** Format: uri */
                image?: string;
                actions: ({
                    /** @enum {string} */
                    type: "Postback";
                    label: string;
                    data?: string | {
                        [key: string]: unknown;
                    };
                    title?: string;
                    text?: string;
                    /** Format: uri */
                    imageUrl?: string;
                    displayText?: string;
                    isDefault?: boolean;
                } | {
                    /** @enum {string} */
                    type: "Url";
                    label: string;
                    /** Format: uri */
                    url: string;
                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                    tracked?: boolean;
                    title?: string;
                    text?: string;
                    /** Format: uri */
                    imageUrl?: string;
                    displayText?: string;
                    isDefault?: boolean;
                })[];
            } | {
                /** @enum {string} */
                type: "text";
                text: string;
            } | {
                /** @enum {string} */
                type: "image";
                /** Format: uri */
                url: string;
            } | {
                /** @enum {string} */
                type: "file";
                /** Format: uri */
                url: string;
                name: string;
            })[] | null;
            messagesBy: {
                field: ("language" | "region" | "channel") | {
                    attribute: string;
                };
                cases: {
                    values: string[];
                    messages: ({
                        /** @enum {string} */
                        type: "buttons";
                        title: string;
                        text: string;
                        /** Format: uri */
                        image?: string;
                        actions: ({
                            /** @enum {string} */
                            type: "Postback";
                            label: string;
                            data?: string | {
                                [key: string]: unknown;
                            };
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        } | {
                            /** @enum {string} */
                            type: "Url";
                            label: string;
                            /** Format: uri */
                            url: string;
                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                            tracked?: boolean;
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        })[];
                    } | {
                        /** @enum {string} */
                        type: "text";
                        text: string;
                    } | {
                        /** @enum {string} */
                        type: "image";
                        /** Format: uri */
                        url: string;
                    } | {
                        /** @enum {string} */
                        type: "file";
                        /** Format: uri */
                        url: string;
                        name: string;
                    })[];
                }[];
                otherwise: ({
                    /** @enum {string} */
                    type: "buttons";
                    title: string;
                    text: string;
                    /** Format: uri */
                    image?: string;
                    actions: ({
                        /** @enum {string} */
                        type: "Postback";
                        label: string;
                        data?: string | {
                            [key: string]: unknown;
                        };
                        title?: string;
                        text?: string;
                        /** Format: uri */
                        imageUrl?: string;
                        displayText?: string;
                        isDefault?: boolean;
                    } | {
                        /** @enum {string} */
                        type: "Url";
                        label: string;
                        /** Format: uri */
                        url: string;
                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                        tracked?: boolean;
                        title?: string;
                        text?: string;
                        /** Format: uri */
                        imageUrl?: string;
                        displayText?: string;
                        isDefault?: boolean;
                    })[];
                } | {
                    /** @enum {string} */
                    type: "text";
                    text: string;
                } | {
                    /** @enum {string} */
                    type: "image";
                    /** Format: uri */
                    url: string;
                } | {
                    /** @enum {string} */
                    type: "file";
                    /** Format: uri */
                    url: string;
                    name: string;
                })[] | "skip";
            } | null;
            variants: {
                name: string;
                sharePercent: number;
                others: {
                    name: string;
                    sharePercent: number;
                    messages: ({
                        /** @enum {string} */
                        type: "buttons";
                        title: string;
                        text: string;
                        /** Format: uri */
                        image?: string;
                        actions: ({
                            /** @enum {string} */
                            type: "Postback";
                            label: string;
                            data?: string | {
                                [key: string]: unknown;
                            };
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        } | {
                            /** @enum {string} */
                            type: "Url";
                            label: string;
                            /** Format: uri */
                            url: string;
                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                            tracked?: boolean;
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        })[];
                    } | {
                        /** @enum {string} */
                        type: "text";
                        text: string;
                    } | {
                        /** @enum {string} */
                        type: "image";
                        /** Format: uri */
                        url: string;
                    } | {
                        /** @enum {string} */
                        type: "file";
                        /** Format: uri */
                        url: string;
                        name: string;
                    })[];
                }[];
                winner: {
                    by: {
                        /** @enum {string} */
                        type: "clicks";
                    } | {
                        /** @enum {string} */
                        type: "eventCode";
                        bizEventCode: string;
                    } | {
                        /** @enum {string} */
                        type: "tag";
                        tagId: string;
                    };
                    /** @enum {string} */
                    decide: "hand" | "automatic";
                    afterHours: number;
                    /** @enum {string} */
                    otherwise: "best" | "hand";
                    minimum: number;
                };
            } | null;
            audience: {
                /** @enum {string} */
                type: "contacts";
                contactIds?: string[];
                audienceId?: string;
                take?: {
                    percent: number;
                } | {
                    atMost: number;
                };
            } | {
                /** @enum {string} */
                type: "app_tags";
                appTagIds: string[];
                /** @enum {string} */
                tagOperator: "AND" | "OR";
                excludeTagIds?: string[];
                take?: {
                    percent: number;
                } | {
                    atMost: number;
                };
            } | {
                /** @enum {string} */
                type: "segment";
                segment: components["schemas"]["Segment"];
                take?: {
                    percent: number;
                } | {
                    atMost: number;
                };
            } | ({
                /** @enum {string} */
                type: "ai_query";
            } & {
                [key: string]: unknown;
            });
            schedule: {
                /** @enum {string} */
                type: "immediate";
            } | {
                /** @enum {string} */
                type: "scheduled";
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                audience?: "now" | "at_start";
            };
            /** Format: date-time */
            endsAt: string | null;
            holdoutPercent: number | null;
            revenueWindowDays: number | null;
            pace: {
                perMinute?: number;
                /** Format: date-time */
                evenlyUntil?: string;
                quietHours?: {
                    /** @description A time of day, as 21:00 */
                    from: string;
                    /** @description A time of day, as 21:00 */
                    to: string;
                    zone: string;
                };
                /** Format: date-time */
                deadline?: string;
            } | null;
            steps: {
                after: {
                    amount: number;
                    /** @enum {string} */
                    unit: "hours" | "days";
                };
                condition: {
                    /** @enum {string} */
                    outcome: "clicked" | "not_clicked" | "conversed" | "not_conversed";
                    messageIndex?: number;
                    actionIndex?: number;
                    bizEventCode?: string;
                };
                messages?: ({
                    /** @enum {string} */
                    type: "buttons";
                    title: string;
                    text: string;
                    /** Format: uri */
                    image?: string;
                    actions: ({
                        /** @enum {string} */
                        type: "Postback";
                        label: string;
                        data?: string | {
                            [key: string]: unknown;
                        };
                        title?: string;
                        text?: string;
                        /** Format: uri */
                        imageUrl?: string;
                        displayText?: string;
                        isDefault?: boolean;
                    } | {
                        /** @enum {string} */
                        type: "Url";
                        label: string;
                        /** Format: uri */
                        url: string;
                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                        tracked?: boolean;
                        title?: string;
                        text?: string;
                        /** Format: uri */
                        imageUrl?: string;
                        displayText?: string;
                        isDefault?: boolean;
                    })[];
                } | {
                    /** @enum {string} */
                    type: "text";
                    text: string;
                } | {
                    /** @enum {string} */
                    type: "image";
                    /** Format: uri */
                    url: string;
                } | {
                    /** @enum {string} */
                    type: "file";
                    /** Format: uri */
                    url: string;
                    name: string;
                })[] | null;
                messagesBy?: {
                    field: ("language" | "region" | "channel") | {
                        attribute: string;
                    };
                    cases: {
                        values: string[];
                        messages: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[];
                    }[];
                    otherwise: ({
                        /** @enum {string} */
                        type: "buttons";
                        title: string;
                        text: string;
                        /** Format: uri */
                        image?: string;
                        actions: ({
                            /** @enum {string} */
                            type: "Postback";
                            label: string;
                            data?: string | {
                                [key: string]: unknown;
                            };
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        } | {
                            /** @enum {string} */
                            type: "Url";
                            label: string;
                            /** Format: uri */
                            url: string;
                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                            tracked?: boolean;
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        })[];
                    } | {
                        /** @enum {string} */
                        type: "text";
                        text: string;
                    } | {
                        /** @enum {string} */
                        type: "image";
                        /** Format: uri */
                        url: string;
                    } | {
                        /** @enum {string} */
                        type: "file";
                        /** Format: uri */
                        url: string;
                        name: string;
                    })[] | "skip";
                } | null;
            }[] | null;
            utm: {
                source?: string;
                medium?: string;
                campaign?: string;
                term?: string;
                content?: string;
            } | null;
            labels: string[];
            /** @enum {string} */
            status: "draft" | "scheduled" | "sending" | "paused" | "completed" | "partially_failed" | "failed" | "cancelled" | "closed";
            /** @enum {string|null} */
            pauseReason: "operator" | "unauthorized" | "late" | "approval" | "deadline" | null;
            /** @enum {string|null} */
            cancelOutcome: "cancelled" | "partly" | "too_late" | null;
            pendingEdit: {
                requestedBy: string;
                /** Format: date-time */
                requestedAt: string;
            } | null;
            approval: components["schemas"]["SendApproval"];
            template?: {
                templateId: string;
                version: number;
            } | null;
            stepOf?: {
                campaignId: string;
                name: string;
                position: number;
            } | null;
            runOf?: {
                repeatId: string;
                name: string;
            } | null;
            sentTwice: number;
            sourceId: string | null;
            audienceCount: number | null;
            controlCount: number | null;
            skippedByCase: number | null;
            summary: {
                sent: number;
                delivered: number;
                failed: number;
                read: number;
            };
            clickedContacts: number;
            createdBy: string;
            editedBy: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            sentAt: string | null;
            confirmedBy: string | null;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            /** Format: date-time */
            closedAt: string | null;
        };
        TestSend: {
            taskId: string;
            taskIds?: string[];
            contactCount: number;
        };
        SubTask: {
            key: string;
            taskId: string | null;
            parentTaskId: string | null;
            /** @enum {string} */
            status: "pending" | "submitting" | "unknown" | "rejected" | "scheduled" | "sending" | "completed" | "cancelled" | "failed";
            contactCount: number;
            recipientCount: number | null;
            summary: components["schemas"]["ReportedSummary"];
            error?: {
                code: string;
                message: string;
            };
            /** Format: date-time */
            submittedAt: string | null;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
        };
        ReportedSummary: {
            sent: number | null;
            delivered: number | null;
            failed: number | null;
            read: number | null;
        };
        Progress: {
            /** @enum {string} */
            status: "draft" | "scheduled" | "sending" | "paused" | "completed" | "partially_failed" | "failed" | "cancelled" | "closed";
            audienceCount: number;
            preparing: {
                contacts: number;
            };
            subTasks: {
                pending?: {
                    tasks: number;
                    contacts: number;
                };
                submitting?: {
                    tasks: number;
                    contacts: number;
                };
                unknown?: {
                    tasks: number;
                    contacts: number;
                };
                rejected?: {
                    tasks: number;
                    contacts: number;
                };
                scheduled?: {
                    tasks: number;
                    contacts: number;
                };
                sending?: {
                    tasks: number;
                    contacts: number;
                };
                completed?: {
                    tasks: number;
                    contacts: number;
                };
                cancelled?: {
                    tasks: number;
                    contacts: number;
                };
                failed?: {
                    tasks: number;
                    contacts: number;
                };
            };
            summary: {
                sent: number;
                delivered: number;
                failed: number;
                read: number;
            };
            outcomes: components["schemas"]["Outcomes"];
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            pace: {
                /** Format: date-time */
                nextAt: string | null;
                /** Format: date-time */
                endsAt: string | null;
                left: number;
                keptBack: number;
            } | null;
        };
        Outcomes: {
            delivered: number;
            sent: number;
            failed: number;
            heldBack: number;
            uncounted: number;
            refused: number;
            cancelled: number;
            unknown: number;
            notYet: number;
        };
        Results: {
            /** @enum {string} */
            status: "draft" | "scheduled" | "sending" | "paused" | "completed" | "partially_failed" | "failed" | "cancelled" | "closed";
            audienceCount: number;
            preparing: {
                contacts: number;
            };
            subTasks: {
                pending?: {
                    tasks: number;
                    contacts: number;
                };
                submitting?: {
                    tasks: number;
                    contacts: number;
                };
                unknown?: {
                    tasks: number;
                    contacts: number;
                };
                rejected?: {
                    tasks: number;
                    contacts: number;
                };
                scheduled?: {
                    tasks: number;
                    contacts: number;
                };
                sending?: {
                    tasks: number;
                    contacts: number;
                };
                completed?: {
                    tasks: number;
                    contacts: number;
                };
                cancelled?: {
                    tasks: number;
                    contacts: number;
                };
                failed?: {
                    tasks: number;
                    contacts: number;
                };
            };
            summary: {
                sent: number;
                delivered: number;
                failed: number;
                read: number;
            };
            outcomes: components["schemas"]["Outcomes"];
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            clicks: {
                total: number;
                repeats: number;
                uniqueContacts: number;
                byAction: {
                    messageIndex: number;
                    actionIndex: number;
                    label: string;
                    clicks: number;
                    uniqueContacts: number;
                }[];
                byBizEventCode: {
                    bizEventCode: string;
                    clicks: number;
                    uniqueContacts: number;
                }[];
                series: {
                    /** Format: date-time */
                    at: string;
                    clicks: number;
                }[];
            };
            conversations: {
                opened: number;
                closed: number;
            };
            tagged: {
                tagId: string;
                contacts: number;
            }[];
            revenue: {
                windowDays: number;
                totals: {
                    currency: string;
                    orders: number;
                    paid: number;
                    refunded: number;
                    net: number;
                    averageOrder: number;
                }[];
                byAction: {
                    messageIndex: number;
                    actionIndex: number;
                    label: string;
                    currency: string;
                    orders: number;
                    paid: number;
                    refunded: number;
                    net: number;
                }[];
            } | null;
            byCase: {
                case: number | "otherwise";
                values: string[];
                contacts: number;
                summary: {
                    sent: number;
                    delivered: number;
                    failed: number;
                    read: number;
                };
                clicks: {
                    total: number;
                    repeats: number;
                    uniqueContacts: number;
                    byAction: {
                        messageIndex: number;
                        actionIndex: number;
                        label: string;
                        clicks: number;
                        uniqueContacts: number;
                    }[];
                };
            }[] | null;
        };
        Click: {
            taskId: string;
            contactId: string;
            displayName: string | null;
            noticeId: string;
            messageIndex: number | null;
            actionIndex: number;
            label: string | null;
            bizEventCode: string | null;
            /** Format: date-time */
            clickedAt: string;
            repeats: number;
            followed: {
                tags: {
                    tagId: string;
                    name: string;
                    color: string | null;
                }[];
                session: {
                    sessionId: string;
                    /** Format: date-time */
                    openedAt: string;
                    /** Format: date-time */
                    closedAt: string | null;
                } | null;
            };
        };
        CalendarItem: {
            /** @enum {string} */
            kind: "campaign" | "run" | "automation";
            id: string;
            name: string;
            serviceNumberId: string;
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            until: string | null;
            /** @enum {string} */
            status: "draft" | "scheduled" | "sending" | "paused" | "completed" | "partially_failed" | "failed" | "cancelled" | "closed" | "active" | "ended";
            labels: string[];
        };
        ListedTemplate: {
            templateId: string;
            etag: string;
            name: string;
            /** @enum {string} */
            kind: "card" | "campaign" | "message";
            serviceNumberId: string | null;
            version: number;
            variables: {
                name: string;
                label?: string;
                default?: string;
            }[];
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            updatedBy: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Template: {
            templateId: string;
            etag: string;
            name: string;
            /** @enum {string} */
            kind: "card" | "campaign" | "message";
            serviceNumberId: string | null;
            version: number;
            variables: {
                name: string;
                label?: string;
                default?: string;
            }[];
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            updatedBy: string;
            /** Format: date-time */
            updatedAt: string;
            content: {
                campaignName: string | null;
                note: string | null;
                messages?: ({
                    /** @enum {string} */
                    type: "buttons";
                    title: string;
                    text: string;
                    /** Format: uri */
                    image?: string;
                    actions: ({
                        /** @enum {string} */
                        type: "Postback";
                        label: string;
                        data?: string | {
                            [key: string]: unknown;
                        };
                        title?: string;
                        text?: string;
                        /** Format: uri */
                        imageUrl?: string;
                        displayText?: string;
                        isDefault?: boolean;
                    } | {
                        /** @enum {string} */
                        type: "Url";
                        label: string;
                        /** Format: uri */
                        url: string;
                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                        tracked?: boolean;
                        title?: string;
                        text?: string;
                        /** Format: uri */
                        imageUrl?: string;
                        displayText?: string;
                        isDefault?: boolean;
                    })[];
                } | {
                    /** @enum {string} */
                    type: "text";
                    text: string;
                } | {
                    /** @enum {string} */
                    type: "image";
                    /** Format: uri */
                    url: string;
                } | {
                    /** @enum {string} */
                    type: "file";
                    /** Format: uri */
                    url: string;
                    name: string;
                })[] | null;
                messagesBy?: {
                    field: ("language" | "region" | "channel") | {
                        attribute: string;
                    };
                    cases: {
                        values: string[];
                        messages: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[];
                    }[];
                    otherwise: ({
                        /** @enum {string} */
                        type: "buttons";
                        title: string;
                        text: string;
                        /** Format: uri */
                        image?: string;
                        actions: ({
                            /** @enum {string} */
                            type: "Postback";
                            label: string;
                            data?: string | {
                                [key: string]: unknown;
                            };
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        } | {
                            /** @enum {string} */
                            type: "Url";
                            label: string;
                            /** Format: uri */
                            url: string;
                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                            tracked?: boolean;
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        })[];
                    } | {
                        /** @enum {string} */
                        type: "text";
                        text: string;
                    } | {
                        /** @enum {string} */
                        type: "image";
                        /** Format: uri */
                        url: string;
                    } | {
                        /** @enum {string} */
                        type: "file";
                        /** Format: uri */
                        url: string;
                        name: string;
                    })[] | "skip";
                } | null;
                utm?: {
                    source?: string;
                    medium?: string;
                    campaign?: string;
                    term?: string;
                    content?: string;
                } | null;
                variants?: {
                    name: string;
                    sharePercent: number;
                    others: {
                        name: string;
                        sharePercent: number;
                        messages: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[];
                    }[];
                    winner: {
                        by: {
                            /** @enum {string} */
                            type: "clicks";
                        } | {
                            /** @enum {string} */
                            type: "eventCode";
                            bizEventCode: string;
                        } | {
                            /** @enum {string} */
                            type: "tag";
                            tagId: string;
                        };
                        /** @enum {string} */
                        decide: "hand" | "automatic";
                        afterHours: number;
                        /** @enum {string} */
                        otherwise: "best" | "hand";
                        minimum: number;
                    };
                } | null;
                steps?: {
                    after: {
                        amount: number;
                        /** @enum {string} */
                        unit: "hours" | "days";
                    };
                    condition: {
                        /** @enum {string} */
                        outcome: "clicked" | "not_clicked" | "conversed" | "not_conversed";
                        messageIndex?: number;
                        actionIndex?: number;
                        bizEventCode?: string;
                    };
                    messages?: ({
                        /** @enum {string} */
                        type: "buttons";
                        title: string;
                        text: string;
                        /** Format: uri */
                        image?: string;
                        actions: ({
                            /** @enum {string} */
                            type: "Postback";
                            label: string;
                            data?: string | {
                                [key: string]: unknown;
                            };
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        } | {
                            /** @enum {string} */
                            type: "Url";
                            label: string;
                            /** Format: uri */
                            url: string;
                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                            tracked?: boolean;
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        })[];
                    } | {
                        /** @enum {string} */
                        type: "text";
                        text: string;
                    } | {
                        /** @enum {string} */
                        type: "image";
                        /** Format: uri */
                        url: string;
                    } | {
                        /** @enum {string} */
                        type: "file";
                        /** Format: uri */
                        url: string;
                        name: string;
                    })[] | null;
                    messagesBy?: {
                        field: ("language" | "region" | "channel") | {
                            attribute: string;
                        };
                        cases: {
                            values: string[];
                            messages: ({
                                /** @enum {string} */
                                type: "buttons";
                                title: string;
                                text: string;
                                /** Format: uri */
                                image?: string;
                                actions: ({
                                    /** @enum {string} */
                                    type: "Postback";
                                    label: string;
                                    data?: string | {
                                        [key: string]: unknown;
                                    };
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                } | {
                                    /** @enum {string} */
                                    type: "Url";
                                    label: string;
                                    /** Format: uri */
                                    url: string;
                                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                    tracked?: boolean;
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                })[];
                            } | {
                                /** @enum {string} */
                                type: "text";
                                text: string;
                            } | {
                                /** @enum {string} */
                                type: "image";
                                /** Format: uri */
                                url: string;
                            } | {
                                /** @enum {string} */
                                type: "file";
                                /** Format: uri */
                                url: string;
                                name: string;
                            })[];
                        }[];
                        otherwise: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[] | "skip";
                    } | null;
                }[] | null;
            };
        };
        TemplateVersion: {
            version: number;
            content: {
                campaignName: string | null;
                note: string | null;
                messages?: ({
                    /** @enum {string} */
                    type: "buttons";
                    title: string;
                    text: string;
                    /** Format: uri */
                    image?: string;
                    actions: ({
                        /** @enum {string} */
                        type: "Postback";
                        label: string;
                        data?: string | {
                            [key: string]: unknown;
                        };
                        title?: string;
                        text?: string;
                        /** Format: uri */
                        imageUrl?: string;
                        displayText?: string;
                        isDefault?: boolean;
                    } | {
                        /** @enum {string} */
                        type: "Url";
                        label: string;
                        /** Format: uri */
                        url: string;
                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                        tracked?: boolean;
                        title?: string;
                        text?: string;
                        /** Format: uri */
                        imageUrl?: string;
                        displayText?: string;
                        isDefault?: boolean;
                    })[];
                } | {
                    /** @enum {string} */
                    type: "text";
                    text: string;
                } | {
                    /** @enum {string} */
                    type: "image";
                    /** Format: uri */
                    url: string;
                } | {
                    /** @enum {string} */
                    type: "file";
                    /** Format: uri */
                    url: string;
                    name: string;
                })[] | null;
                messagesBy?: {
                    field: ("language" | "region" | "channel") | {
                        attribute: string;
                    };
                    cases: {
                        values: string[];
                        messages: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[];
                    }[];
                    otherwise: ({
                        /** @enum {string} */
                        type: "buttons";
                        title: string;
                        text: string;
                        /** Format: uri */
                        image?: string;
                        actions: ({
                            /** @enum {string} */
                            type: "Postback";
                            label: string;
                            data?: string | {
                                [key: string]: unknown;
                            };
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        } | {
                            /** @enum {string} */
                            type: "Url";
                            label: string;
                            /** Format: uri */
                            url: string;
                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                            tracked?: boolean;
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        })[];
                    } | {
                        /** @enum {string} */
                        type: "text";
                        text: string;
                    } | {
                        /** @enum {string} */
                        type: "image";
                        /** Format: uri */
                        url: string;
                    } | {
                        /** @enum {string} */
                        type: "file";
                        /** Format: uri */
                        url: string;
                        name: string;
                    })[] | "skip";
                } | null;
                utm?: {
                    source?: string;
                    medium?: string;
                    campaign?: string;
                    term?: string;
                    content?: string;
                } | null;
                variants?: {
                    name: string;
                    sharePercent: number;
                    others: {
                        name: string;
                        sharePercent: number;
                        messages: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[];
                    }[];
                    winner: {
                        by: {
                            /** @enum {string} */
                            type: "clicks";
                        } | {
                            /** @enum {string} */
                            type: "eventCode";
                            bizEventCode: string;
                        } | {
                            /** @enum {string} */
                            type: "tag";
                            tagId: string;
                        };
                        /** @enum {string} */
                        decide: "hand" | "automatic";
                        afterHours: number;
                        /** @enum {string} */
                        otherwise: "best" | "hand";
                        minimum: number;
                    };
                } | null;
                steps?: {
                    after: {
                        amount: number;
                        /** @enum {string} */
                        unit: "hours" | "days";
                    };
                    condition: {
                        /** @enum {string} */
                        outcome: "clicked" | "not_clicked" | "conversed" | "not_conversed";
                        messageIndex?: number;
                        actionIndex?: number;
                        bizEventCode?: string;
                    };
                    messages?: ({
                        /** @enum {string} */
                        type: "buttons";
                        title: string;
                        text: string;
                        /** Format: uri */
                        image?: string;
                        actions: ({
                            /** @enum {string} */
                            type: "Postback";
                            label: string;
                            data?: string | {
                                [key: string]: unknown;
                            };
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        } | {
                            /** @enum {string} */
                            type: "Url";
                            label: string;
                            /** Format: uri */
                            url: string;
                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                            tracked?: boolean;
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        })[];
                    } | {
                        /** @enum {string} */
                        type: "text";
                        text: string;
                    } | {
                        /** @enum {string} */
                        type: "image";
                        /** Format: uri */
                        url: string;
                    } | {
                        /** @enum {string} */
                        type: "file";
                        /** Format: uri */
                        url: string;
                        name: string;
                    })[] | null;
                    messagesBy?: {
                        field: ("language" | "region" | "channel") | {
                            attribute: string;
                        };
                        cases: {
                            values: string[];
                            messages: ({
                                /** @enum {string} */
                                type: "buttons";
                                title: string;
                                text: string;
                                /** Format: uri */
                                image?: string;
                                actions: ({
                                    /** @enum {string} */
                                    type: "Postback";
                                    label: string;
                                    data?: string | {
                                        [key: string]: unknown;
                                    };
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                } | {
                                    /** @enum {string} */
                                    type: "Url";
                                    label: string;
                                    /** Format: uri */
                                    url: string;
                                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                    tracked?: boolean;
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                })[];
                            } | {
                                /** @enum {string} */
                                type: "text";
                                text: string;
                            } | {
                                /** @enum {string} */
                                type: "image";
                                /** Format: uri */
                                url: string;
                            } | {
                                /** @enum {string} */
                                type: "file";
                                /** Format: uri */
                                url: string;
                                name: string;
                            })[];
                        }[];
                        otherwise: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[] | "skip";
                    } | null;
                }[] | null;
            };
            variables: {
                name: string;
                label?: string;
                default?: string;
            }[];
            restoredFrom: number | null;
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
        };
        DryRun: {
            audienceCount: number;
            controlCount: number;
            skippedByCase: number;
            chunks: {
                contactCount: number;
            }[];
            requests: components["schemas"]["Broadcast"][];
            variants: {
                name: string;
                contactCount: number;
            }[];
            cases: {
                case: number | "otherwise";
                values: string[];
                contactCount: number;
            }[];
            followingCount: number;
            warnings: components["schemas"]["DryRunWarning"][];
            forecast: components["schemas"]["SendForecast"];
        };
        Broadcast: {
            name: string;
            note?: string;
            channels: string[];
            messages: ({
                /** @enum {string} */
                type: "buttons";
                title: string;
                text: string;
                /** Format: uri */
                image?: string;
                actions: ({
                    /** @enum {string} */
                    type: "Postback";
                    label: string;
                    data?: string | {
                        [key: string]: unknown;
                    };
                    title?: string;
                    text?: string;
                    /** Format: uri */
                    imageUrl?: string;
                    displayText?: string;
                    isDefault?: boolean;
                } | {
                    /** @enum {string} */
                    type: "Url";
                    label: string;
                    /** Format: uri */
                    url: string;
                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                    tracked?: boolean;
                    title?: string;
                    text?: string;
                    /** Format: uri */
                    imageUrl?: string;
                    displayText?: string;
                    isDefault?: boolean;
                })[];
            } | {
                /** @enum {string} */
                type: "text";
                text: string;
            } | {
                /** @enum {string} */
                type: "image";
                /** Format: uri */
                url: string;
            } | {
                /** @enum {string} */
                type: "file";
                /** Format: uri */
                url: string;
                name: string;
            })[];
            audience: {
                /** @enum {string} */
                type: "contacts";
                contactIds: string[];
            };
            schedule: {
                /** @enum {string} */
                type: "immediate";
            } | {
                /** @enum {string} */
                type: "scheduled";
                /** Format: date-time */
                at: string;
            };
        };
        DryRunWarning: {
            /** @enum {string} */
            code: "audience_empty" | "schedule_passed" | "end_before_start" | "source_pending" | "link_without_https" | "link_untracked" | "link_too_long" | "variable_left" | "variants_alike" | "variant_empty" | "case_empty" | "contacts_expired_tags" | "contacts_unsubscribed" | "contacts_unreachable" | "contacts_in_control_group" | "same_audience";
            path?: string;
            message: string;
            contacts?: number;
        };
        SendForecast: {
            durationSeconds: number | null;
            submissions: number;
            polls: number | null;
            temporalActions: number | null;
            basedOnSends: number;
        };
        AudienceDrift: {
            added: {
                contactId: string;
                /** @enum {string} */
                reason: "unsubscribed" | "resubscribed" | "unreachable" | "reachable" | "tag_added" | "tag_removed" | "tag_expired" | "tag_revived" | "list_changed" | "match_changed" | "holdout_changed" | "control_group_changed" | "sample_changed" | "case_changed" | "audience_changed";
            }[];
            removed: {
                contactId: string;
                /** @enum {string} */
                reason: "unsubscribed" | "resubscribed" | "unreachable" | "reachable" | "tag_added" | "tag_removed" | "tag_expired" | "tag_revived" | "list_changed" | "match_changed" | "holdout_changed" | "control_group_changed" | "sample_changed" | "case_changed" | "audience_changed";
            }[];
            addedCount: number;
            removedCount: number;
            reasons: {
                /** @enum {string} */
                change: "added" | "removed";
                /** @enum {string} */
                reason: "unsubscribed" | "resubscribed" | "unreachable" | "reachable" | "tag_added" | "tag_removed" | "tag_expired" | "tag_revived" | "list_changed" | "match_changed" | "holdout_changed" | "control_group_changed" | "sample_changed" | "case_changed" | "audience_changed";
                contacts: number;
            }[];
            dryRun: {
                /** Format: date-time */
                at: string;
                audienceCount: number;
            } | null;
            sent: {
                /** Format: date-time */
                at: string;
                audienceCount: number;
            } | null;
        };
        PossibleActions: {
            edit: number | null;
            pause: number | null;
            resume: number | null;
            cancel: number | null;
            close: number | null;
            retry: number | null;
        };
        Dispatch: {
            dispatchId: string;
            number: number;
            retryOf: string | null;
            /** Format: date-time */
            scheduledAt: string | null;
            audienceCount: number;
            controlCount: number;
            audienceHash: string | null;
            excluded: {
                expiredTags: number;
                unsubscribed: number;
                unreachable: number;
                controlGroup: number;
            };
            subTasks: number;
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
        };
        SubTaskContact: {
            contactId: string;
            displayName: string | null;
        };
        Recipient: {
            contactId: string;
            isControl: boolean;
            sends: {
                number: number;
                /** Format: date-time */
                sentAt: string;
                subTaskKey: string;
                taskId: string | null;
                /** @enum {string} */
                status: "pending" | "submitting" | "unknown" | "rejected" | "scheduled" | "sending" | "completed" | "cancelled" | "failed";
            }[];
        };
        CampaignContact: {
            contactId: string;
            displayName: string | null;
            subTask: {
                key: string;
                send: number;
                taskId: string | null;
                /** @enum {string} */
                status: "pending" | "submitting" | "unknown" | "rejected" | "scheduled" | "sending" | "completed" | "cancelled" | "failed";
                errorCode: string | null;
                delivered: boolean;
            } | null;
            clicks: {
                messageIndex: number | null;
                actionIndex: number;
                label: string | null;
                bizEventCode: string | null;
                /** Format: date-time */
                clickedAt: string;
                repeats: number;
                eventId: string;
            }[];
            conversation: {
                sessionId: string;
                /** Format: date-time */
                openedAt: string;
                /** Format: date-time */
                closedAt: string | null;
            } | null;
            tags: {
                tagId: string;
                name: string;
                color: string | null;
                /** Format: date-time */
                assignedAt: string;
                ruleId: string | null;
                ruleVersion: number | null;
                eventId: string | null;
            }[];
        };
        CampaignHistoryItem: {
            auditId: string;
            /** Format: date-time */
            at: string;
            actor: string;
            action: string;
            objectType: string;
            objectId: string;
            before?: unknown;
            after?: unknown;
            complete: boolean;
            /** @enum {string} */
            kind: "change";
        } | {
            /** @enum {string} */
            kind: "status";
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            from: "draft" | "scheduled" | "sending" | "paused" | "completed" | "partially_failed" | "failed" | "cancelled" | "closed";
            /** @enum {string} */
            to: "draft" | "scheduled" | "sending" | "paused" | "completed" | "partially_failed" | "failed" | "cancelled" | "closed";
            /** @enum {string|null} */
            pauseReason: "operator" | "unauthorized" | "late" | "approval" | "deadline" | null;
            /** @enum {string} */
            flow: "dispatchCampaign" | "pollTaskStatus" | "closeCampaign";
        } | {
            /** @enum {string} */
            kind: "sub_task";
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            event: "submitted" | "finished";
            key: string;
            taskId: string | null;
            /** @enum {string} */
            status: "pending" | "submitting" | "unknown" | "rejected" | "scheduled" | "sending" | "completed" | "cancelled" | "failed";
            contactCount: number;
            errorCode: string | null;
            /** @enum {string} */
            flow: "dispatchCampaign" | "pollTaskStatus" | "closeCampaign";
        } | {
            /** @enum {string} */
            kind: "entry_source";
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            event: "created" | "ended";
            sourceId: string;
            /** @enum {string} */
            flow: "dispatchCampaign" | "pollTaskStatus" | "closeCampaign";
        };
        TenantLift: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            percent: number;
            comparisons: {
                measure: {
                    /** @enum {string} */
                    type: "conversation";
                } | {
                    /** @enum {string} */
                    type: "tag";
                    tagId: string;
                    name: string;
                };
                control: {
                    contacts: number;
                    converted: number;
                };
                /** @enum {string} */
                verdict: "too_few" | "higher" | "lower" | "unclear";
                difference: {
                    value: number;
                    low: number;
                    high: number;
                } | null;
                relative: number | null;
                all: {
                    contacts: number;
                    converted: number;
                };
            }[];
            revenue: {
                currency: string;
                all: number;
                control: number;
            }[] | null;
        };
        Lift: {
            /** @enum {string} */
            state: "no_control_group" | "not_started" | "open" | "complete" | "deleted";
            windowDays: number;
            /** Format: date-time */
            from: string | null;
            /** Format: date-time */
            until: string | null;
            comparisons: {
                measure: {
                    /** @enum {string} */
                    type: "conversation";
                } | {
                    /** @enum {string} */
                    type: "tag";
                    tagId: string;
                    name: string;
                };
                control: {
                    contacts: number;
                    converted: number;
                };
                /** @enum {string} */
                verdict: "too_few" | "higher" | "lower" | "unclear";
                difference: {
                    value: number;
                    low: number;
                    high: number;
                } | null;
                relative: number | null;
                sent: {
                    contacts: number;
                    converted: number;
                };
            }[];
        };
        VariantTest: {
            /** @enum {string} */
            state: "waiting" | "running" | "asking" | "decided" | "ended";
            /** @enum {string|null} */
            reason: "by_hand" | "minimum_out_of_reach" | "time_over" | "arms_refused" | "proven" | "best" | "chosen" | "nothing_left" | "cancelled" | "closed" | null;
            measure: {
                /** @enum {string} */
                type: "clicks";
            } | {
                /** @enum {string} */
                type: "eventCode";
                bizEventCode: string;
            } | {
                /** @enum {string} */
                type: "tag";
                tagId: string;
            };
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            decidesAt: string | null;
            variants: {
                contacts: number;
                outcomes: components["schemas"]["Outcomes"];
                summary: {
                    sent: number;
                    delivered: number;
                    failed: number;
                    read: number;
                };
                clicks: {
                    total: number;
                    uniqueContacts: number;
                };
                name: string;
                sharePercent: number;
                compared: {
                    contacts: number;
                    converted: number;
                };
            }[];
            rest: {
                contacts: number;
                outcomes: components["schemas"]["Outcomes"];
                summary: {
                    sent: number;
                    delivered: number;
                    failed: number;
                    read: number;
                };
                clicks: {
                    total: number;
                    uniqueContacts: number;
                };
            } | null;
            verdict: {
                /** @enum {string} */
                verdict: "too_few" | "undecided" | "proven";
                leader: string | null;
                chance: number;
            };
            choice: {
                name: string;
                /** Format: date-time */
                at: string;
                by: string;
                proven: boolean;
            } | null;
            mayChoose: boolean;
        };
        CampaignStep: {
            after: {
                amount: number;
                /** @enum {string} */
                unit: "hours" | "days";
            };
            condition: {
                /** @enum {string} */
                outcome: "clicked" | "not_clicked" | "conversed" | "not_conversed";
                messageIndex?: number;
                actionIndex?: number;
                bizEventCode?: string;
            };
            position: number;
            /** @enum {string} */
            state: "draft" | "waiting" | "sent" | "approval" | "skipped" | "cancelled";
            reason: string | null;
            /** @enum {string|null} */
            pauseReason: "restored" | null;
            /** Format: date-time */
            dueAt: string | null;
            /** Format: date-time */
            decidedAt: string | null;
            campaignId: string | null;
            /** @enum {string|null} */
            campaignStatus: "draft" | "scheduled" | "sending" | "paused" | "completed" | "partially_failed" | "failed" | "cancelled" | "closed" | null;
            audienceCount: number | null;
            clickedContacts: number | null;
        };
        ForecastComparison: {
            forecast: {
                durationSeconds: number | null;
                submissions: number;
                polls: number | null;
                temporalActions: number | null;
                basedOnSends: number;
                /** Format: date-time */
                at: string;
            } | null;
            actual: {
                durationSeconds: number;
                submissions: number;
                polls: number;
                temporalActions: number | null;
            } | null;
        };
        Audience: {
            audienceId: string;
            etag: string;
            name: string;
            serviceNumberId: string;
            /** @enum {string} */
            type: "contacts" | "app_tags" | "segment";
            appTagIds: string[];
            /** @enum {string|null} */
            tagOperator: "AND" | "OR" | null;
            excludeTagIds: string[];
            segment?: components["schemas"]["Segment"];
            take: {
                percent: number;
            } | {
                atMost: number;
            } | null;
            memberCount: number;
            isComplete: boolean;
            /** Format: date-time */
            restorableUntil: string | null;
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Repeat: {
            repeatId: string;
            etag: string;
            serviceNumberId: string;
            name: string;
            campaignId: string | null;
            campaignName: string | null;
            calendar: {
                /** @enum {string} */
                type: "daily";
                /** @description A time of day, as 21:00 */
                at: string;
            } | {
                /** @enum {string} */
                type: "weekly";
                /** @description A time of day, as 21:00 */
                at: string;
                days: number[];
            } | {
                /** @enum {string} */
                type: "monthly";
                /** @description A time of day, as 21:00 */
                at: string;
                day: number;
            } | {
                /** @enum {string} */
                type: "cron";
                expression: string;
            };
            zone: string;
            /** Format: date-time */
            until: string | null;
            maxRuns: number | null;
            skipReached: boolean;
            /** @enum {string} */
            status: "active" | "paused" | "ended";
            /** @enum {string|null} */
            endReason: "operator" | "until" | "runs" | "template_deleted" | "no_times" | "uninstalled" | null;
            /** @enum {string|null} */
            pauseReason: "operator" | "restored" | null;
            /** Format: date-time */
            nextAt: string | null;
            nextLocalTime: string | null;
            sends: number;
            /** @enum {string|null} */
            lastOutcome: "sent" | "approval" | "missed" | "overlap" | "refused" | null;
            startedBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        RepeatRun: {
            number: number;
            localTime: string;
            /** Format: date-time */
            dueAt: string;
            /** Format: date-time */
            ranAt: string;
            /** @enum {string} */
            outcome: "sent" | "approval" | "missed" | "overlap" | "refused";
            reason: string | null;
            campaignId: string | null;
            /** @enum {string|null} */
            campaignStatus: "draft" | "scheduled" | "sending" | "paused" | "completed" | "partially_failed" | "failed" | "cancelled" | "closed" | null;
            audienceCount: number | null;
            leftOut: number;
        };
        Automation: {
            automationId: string;
            etag: string;
            serviceNumberId: string;
            name: string;
            trigger: {
                /** @enum {string} */
                event: "contact.entered";
            } | {
                /** @enum {string} */
                event: "contact.followed";
            } | {
                /** @enum {string} */
                event: "tag.assigned";
                tagId: string;
            } | {
                /** @enum {string} */
                event: "tag.removed";
                tagId: string;
            } | {
                /** @enum {string} */
                event: "notice.clicked";
                campaignIds?: string[];
                actionIndex?: number;
                bizEventCode?: string;
            } | {
                /** @enum {string} */
                event: "order.paid" | "order.refunded";
                minAmount?: number;
                currency?: string;
            } | {
                /** @enum {string} */
                event: "date";
                attribute: string;
                offsetDays: number;
                /** @description A time of day, as 21:00 */
                at: string;
                zone: string;
                /** @default false */
                yearly: boolean;
            } | {
                /** @enum {string} */
                event: "segment.entered";
                segment: components["schemas"]["Segment"];
                /** @enum {string} */
                every: "hour" | "day";
                /** @description A time of day, as 21:00 */
                at?: string;
                zone?: string;
            } | {
                /** @enum {string} */
                event: "session.closed";
                minMessages?: number;
            };
            filter: components["schemas"]["Segment"];
            delay: {
                minutes: number;
            };
            steps: {
                messages: ({
                    /** @enum {string} */
                    type: "buttons";
                    title: string;
                    text: string;
                    /** Format: uri */
                    image?: string;
                    actions: ({
                        /** @enum {string} */
                        type: "Postback";
                        label: string;
                        data?: string | {
                            [key: string]: unknown;
                        };
                        title?: string;
                        text?: string;
                        /** Format: uri */
                        imageUrl?: string;
                        displayText?: string;
                        isDefault?: boolean;
                    } | {
                        /** @enum {string} */
                        type: "Url";
                        label: string;
                        /** Format: uri */
                        url: string;
                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                        tracked?: boolean;
                        title?: string;
                        text?: string;
                        /** Format: uri */
                        imageUrl?: string;
                        displayText?: string;
                        isDefault?: boolean;
                    })[];
                } | {
                    /** @enum {string} */
                    type: "text";
                    text: string;
                } | {
                    /** @enum {string} */
                    type: "image";
                    /** Format: uri */
                    url: string;
                } | {
                    /** @enum {string} */
                    type: "file";
                    /** Format: uri */
                    url: string;
                    name: string;
                })[] | null;
                messagesBy: {
                    field: ("language" | "region" | "channel") | {
                        attribute: string;
                    };
                    cases: {
                        values: string[];
                        messages: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[];
                    }[];
                    otherwise: ({
                        /** @enum {string} */
                        type: "buttons";
                        title: string;
                        text: string;
                        /** Format: uri */
                        image?: string;
                        actions: ({
                            /** @enum {string} */
                            type: "Postback";
                            label: string;
                            data?: string | {
                                [key: string]: unknown;
                            };
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        } | {
                            /** @enum {string} */
                            type: "Url";
                            label: string;
                            /** Format: uri */
                            url: string;
                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                            tracked?: boolean;
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        })[];
                    } | {
                        /** @enum {string} */
                        type: "text";
                        text: string;
                    } | {
                        /** @enum {string} */
                        type: "image";
                        /** Format: uri */
                        url: string;
                    } | {
                        /** @enum {string} */
                        type: "file";
                        /** Format: uri */
                        url: string;
                        name: string;
                    })[] | "skip";
                } | null;
                delay: {
                    minutes: number;
                } | null;
                /** @enum {string|null} */
                if: "clicked" | "not_clicked" | "conversed" | "not_conversed" | null;
            }[];
            entry: "once" | "every" | {
                afterDays: number;
            };
            quietHours: {
                /** @description A time of day, as 21:00 */
                from: string;
                /** @description A time of day, as 21:00 */
                to: string;
                zone: string;
            } | null;
            maxPerDay: number | null;
            exitOn: components["schemas"]["Segment"];
            /** Format: date-time */
            endsAt: string | null;
            holdoutPercent: number | null;
            utm: {
                source?: string;
                medium?: string;
                campaign?: string;
                term?: string;
                content?: string;
            } | null;
            channels: string[];
            revenueWindowDays: number | null;
            /** @enum {string} */
            status: "draft" | "active" | "paused" | "ended";
            /** @enum {string|null} */
            pauseReason: "operator" | "approval" | "unauthorized" | "restored" | null;
            /** @enum {string|null} */
            endReason: "operator" | "ends_at" | "uninstalled" | null;
            approval: components["schemas"]["SendApproval"];
            /** Format: date-time */
            activatedAt: string | null;
            startedBy: string | null;
            counts: {
                entered: number;
                waiting: number;
                sent: number;
                skipped: number;
                unknown: number;
            };
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        AutomationEntry: {
            entryId: string;
            contactId: string;
            /** @enum {string} */
            status: "waiting" | "sent" | "skipped" | "unknown";
            reason: string | null;
            cause: {
                event: string;
                /** Format: date-time */
                at: string;
                eventId?: string;
                tagId?: string;
                ruleId?: string;
                campaignId?: string;
                taskId?: string;
                actionIndex?: number;
                bizEventCode?: string;
                sessionId?: string;
                orderId?: string;
                date?: string;
            };
            /** Format: date-time */
            enteredAt: string;
            /** Format: date-time */
            dueAt: string | null;
            steps: {
                step: number;
                /** @enum {string} */
                status: "waiting" | "sent" | "skipped" | "unknown";
                reason: string | null;
                /** Format: date-time */
                dueAt: string | null;
                /** Format: date-time */
                sentAt: string | null;
                subTaskKey: string | null;
                taskId: string | null;
                case: number | "otherwise" | null;
            }[];
        };
        AutomationResults: {
            counts: {
                entered: number;
                waiting: number;
                sent: number;
                skipped: number;
                unknown: number;
            };
            skipped: {
                [key: string]: number;
            };
            withoutContact: number;
            summary: {
                sent: number;
                delivered: number;
                failed: number;
                read: number;
            };
            clicks: {
                total: number;
                repeats: number;
                uniqueContacts: number;
                byAction: {
                    messageIndex: number;
                    actionIndex: number;
                    label: string;
                    clicks: number;
                    uniqueContacts: number;
                }[];
                byBizEventCode: {
                    bizEventCode: string;
                    clicks: number;
                    uniqueContacts: number;
                }[];
                series: {
                    /** Format: date-time */
                    at: string;
                    clicks: number;
                }[];
            };
            conversations: {
                opened: number;
                closed: number;
            };
            steps: {
                step: number;
                sent: number;
                skipped: number;
                unknown: number;
                summary: {
                    sent: number;
                    delivered: number;
                    failed: number;
                    read: number;
                };
                clicks: {
                    total: number;
                    repeats: number;
                    uniqueContacts: number;
                };
                byCase: {
                    case: number | "otherwise";
                    values: string[];
                    contacts: number;
                    summary: {
                        sent: number;
                        delivered: number;
                        failed: number;
                        read: number;
                    };
                    clicks: {
                        total: number;
                        repeats: number;
                        uniqueContacts: number;
                        byAction: {
                            messageIndex: number;
                            actionIndex: number;
                            label: string;
                            clicks: number;
                            uniqueContacts: number;
                        }[];
                    };
                }[] | null;
            }[];
            days: {
                /** Format: date */
                date: string;
                entered: number;
                sent: number;
                skipped: number;
                clicks: number;
            }[];
        };
        AutomationSubTask: {
            key: string;
            taskId: string | null;
            parentTaskId: string | null;
            /** @enum {string} */
            status: "pending" | "submitting" | "unknown" | "rejected" | "scheduled" | "sending" | "completed" | "cancelled" | "failed";
            contactCount: number;
            recipientCount: number | null;
            summary: components["schemas"]["ReportedSummary"];
            error?: {
                code: string;
                message: string;
            };
            /** Format: date-time */
            submittedAt: string | null;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            step: number;
        };
        AutomationRehearsal: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            days: {
                /** Format: date */
                date: string;
                causes: number;
                entered: number;
                skipped: {
                    [key: string]: number;
                };
            }[];
            examples: {
                contactId: string;
                /** Format: date-time */
                at: string;
                cause: {
                    event: string;
                    /** Format: date-time */
                    at: string;
                    eventId?: string;
                    tagId?: string;
                    ruleId?: string;
                    campaignId?: string;
                    taskId?: string;
                    actionIndex?: number;
                    bizEventCode?: string;
                    sessionId?: string;
                    orderId?: string;
                    date?: string;
                };
                /** @enum {string} */
                outcome: "entered" | "skipped";
                reason: string | null;
            }[];
        };
        AudiencePreview: {
            hitCount: number;
            reachableCount: number;
            excluded: {
                expiredTags: number;
                unsubscribed: number;
                unreachable: number;
                controlGroup: number;
            };
            takenCount?: number;
            parts?: {
                path: string;
                hitCount: number;
            }[];
        };
        AudienceExplanation: {
            contactId: string;
            /** Format: date-time */
            asOf: string;
            known: boolean;
            matches: boolean;
            /** @enum {string|null} */
            reach: "reachable" | "expiredTags" | "unsubscribed" | "unreachable" | "controlGroup" | null;
            segment: components["schemas"]["Segment"];
            parts: {
                path: string;
                holds: boolean;
                facts: components["schemas"]["AudienceFact"][];
            }[];
        };
        AudienceFact: {
            /** @enum {string} */
            kind: "tag" | "inList" | "reached" | "clicked" | "conversed" | "entered" | "profile";
            counts: boolean;
            /** Format: date-time */
            at: string | null;
            /** Format: date-time */
            until: string | null;
            /** Format: date-time */
            knownAt: string | null;
            name: string | null;
            value: string | null;
        };
        AudienceContact: {
            contactId: string;
            displayName: string | null;
            known: boolean;
            /** @enum {string} */
            reach: "reachable" | "expiredTags" | "unsubscribed" | "unreachable" | "controlGroup";
        };
        ServiceNumber: {
            serviceNumberId: string;
            name: string;
            /** @enum {string} */
            status: "active" | "inactive";
        };
        ContactCounts: {
            serviceNumberId: string;
            following: number;
            unfollowed: number;
            unsubscribed: number;
            reachable: number;
        };
        Contact: {
            contactId: string;
            serviceNumberId: string;
            displayName: string | null;
            channel: string | null;
            language: string | null;
            region: string | null;
            attributes: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            followState: "following" | "unfollowed";
            /** Format: date-time */
            followStateSince: string | null;
            unsubscribed: boolean;
            /** Format: date-time */
            unsubscribedSince: string | null;
            reachable: boolean;
            /** Format: date-time */
            enteredAt: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        KnownContact: {
            contactId: string;
            serviceNumberId: string;
            displayName: string | null;
            channel: string | null;
            language: string | null;
            region: string | null;
            attributes: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            followState: "following" | "unfollowed";
            /** Format: date-time */
            followStateSince: string | null;
            unsubscribed: boolean;
            /** Format: date-time */
            unsubscribedSince: string | null;
            reachable: boolean;
            /** Format: date-time */
            enteredAt: string | null;
            /** Format: date-time */
            updatedAt: string;
            inControlGroup: boolean;
        };
        TimelineItem: {
            /** @enum {string} */
            kind: "notice";
            /** Format: date-time */
            at: string;
            campaignId: string;
            campaignName: string;
            taskId: string | null;
            /** @enum {string} */
            status: "sending" | "completed" | "failed";
        } | {
            /** @enum {string} */
            kind: "click";
            /** Format: date-time */
            at: string;
            campaignId: string;
            campaignName: string;
            taskId: string;
            noticeId: string;
            messageIndex: number | null;
            actionIndex: number;
            label: string | null;
            bizEventCode: string | null;
            repeats: number;
        } | {
            /** @enum {string} */
            kind: "session";
            /** Format: date-time */
            at: string;
            sessionId: string;
            campaignId: string | null;
            campaignName: string | null;
            channel: string | null;
            /** Format: date-time */
            closedAt: string | null;
            durationSeconds: number | null;
            messageCount: number | null;
        } | {
            /** @enum {string} */
            kind: "tag";
            /** Format: date-time */
            at: string;
            tagId: string;
            name: string;
            origin: {
                ruleId: string | null;
                ruleVersion: number | null;
                ruleName: string | null;
                campaignId: string | null;
                campaignName: string | null;
                taskId: string | null;
                actionIndex: number | null;
                buttonLabel: string | null;
                bizEventCode: string | null;
                eventId: string | null;
                eventType: string | null;
                /** Format: date-time */
                occurredAt: string | null;
                assignedBy: string | null;
                assignedByName: string | null;
            };
        } | {
            /** @enum {string} */
            kind: "follow";
            /** Format: date-time */
            at: string;
            eventId: string;
            /** @enum {string} */
            event: "entered" | "followed" | "unfollowed" | "unsubscribed" | "resubscribed";
        };
        Tag: {
            tagId: string;
            etag: string;
            serviceNumberId: string;
            name: string;
            /** @enum {string} */
            source: "app_manual" | "app_smart";
            /** @enum {string} */
            kind: "permanent" | "temporary";
            color: string | null;
            /** @enum {string} */
            status: "active" | "expired" | "archived";
            /** Format: date-time */
            expiresAt: string | null;
            contactCount: number;
            /** Format: date-time */
            createdAt: string;
        };
        TagAssignment: {
            contactId: string;
            displayName: string | null;
            /** Format: date-time */
            assignedAt: string;
            origin: {
                ruleId: string | null;
                ruleVersion: number | null;
                ruleName: string | null;
                campaignId: string | null;
                campaignName: string | null;
                taskId: string | null;
                actionIndex: number | null;
                buttonLabel: string | null;
                bizEventCode: string | null;
                eventId: string | null;
                eventType: string | null;
                /** Format: date-time */
                occurredAt: string | null;
                assignedBy: string | null;
                assignedByName: string | null;
            };
        };
        ContactTag: {
            tagId: string;
            name: string;
            color: string | null;
            /** @enum {string} */
            kind: "permanent" | "temporary";
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            assignedAt: string;
            origin: {
                ruleId: string | null;
                ruleVersion: number | null;
                ruleName: string | null;
                campaignId: string | null;
                campaignName: string | null;
                taskId: string | null;
                actionIndex: number | null;
                buttonLabel: string | null;
                bizEventCode: string | null;
                eventId: string | null;
                eventType: string | null;
                /** Format: date-time */
                occurredAt: string | null;
                assignedBy: string | null;
                assignedByName: string | null;
            };
        };
        SmartTagRule: {
            ruleId: string;
            etag: string;
            version: number;
            name: string;
            /** @enum {string} */
            triggerEvent: "notice.clicked" | "session.created" | "session.closed" | "no_response_for_N_days";
            matchCondition: components["schemas"]["MatchCondition"];
            targetTagId: string;
            targetTag: {
                serviceNumberId: string;
                name: string;
                /** @enum {string} */
                kind: "permanent" | "temporary";
                color: string | null;
                /** Format: date-time */
                expiresAt: string | null;
                archived: boolean;
            };
            days: number | null;
            campaignId: string | null;
            campaignName: string | null;
            /** @enum {string} */
            status: "active" | "paused";
            hitCount: number;
            /** Format: date-time */
            lastExecutedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        MatchCondition: {
            all: components["schemas"]["MatchCondition"][];
        } | {
            any: components["schemas"]["MatchCondition"][];
        } | {
            not: components["schemas"]["MatchCondition"];
        } | {
            /** @enum {string} */
            field: "bizEventCode" | "campaignId" | "actionType" | "url" | "noticeId" | "serviceNumberId" | "entryReasonId" | "sourceId";
            /** @enum {string} */
            op: "eq" | "ne" | "prefix" | "glob";
            value: string;
        } | {
            /** @enum {string} */
            field: "bizEventCode" | "campaignId" | "actionType" | "url" | "noticeId" | "serviceNumberId" | "entryReasonId" | "sourceId";
            /** @enum {string} */
            op: "in";
            value: string[];
        } | {
            /** @enum {string} */
            field: "actionIndex" | "durationSeconds" | "messageCount";
            /** @enum {string} */
            op: "eq" | "ne" | "lt" | "lte" | "gt" | "gte";
            value: number;
        } | {
            /** @enum {string} */
            field: "actionIndex" | "durationSeconds" | "messageCount";
            /** @enum {string} */
            op: "in";
            value: number[];
        };
        SmartTagRuleVersion: {
            version: number;
            name: string;
            /** @enum {string} */
            triggerEvent: "notice.clicked" | "session.created" | "session.closed" | "no_response_for_N_days";
            matchCondition: components["schemas"]["MatchCondition"];
            targetTagId: string;
            targetTag: {
                serviceNumberId: string;
                name: string;
                /** @enum {string} */
                kind: "permanent" | "temporary";
                color: string | null;
                /** Format: date-time */
                expiresAt: string | null;
                archived: boolean;
            };
            days: number | null;
            campaignId: string | null;
            campaignName: string | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            createdByName: string | null;
        };
        Backtest: {
            events: number;
            contacts: number;
            contactIds: string[];
        };
        InboxItem: {
            eventId: string;
            eventType: string;
            /** @enum {string} */
            status: "stored" | "processed" | "failed" | "dismissed";
            /** Format: date-time */
            receivedAt: string;
            waitingFor?: string;
            attempts: number;
            /** Format: date-time */
            nextAttemptAt: string | null;
            error?: string;
            serviceNumberId: string | null;
            contactId: string | null;
            campaignId: string | null;
            campaignName: string | null;
        };
        InboxKind: {
            /** @enum {string} */
            status: "stored" | "failed";
            eventType: string;
            waitingFor: string | null;
            reason: string | null;
            count: number;
            /** Format: date-time */
            oldestReceivedAt: string;
        };
        InboxEvent: {
            eventId: string;
            eventType: string;
            /** @enum {string} */
            status: "stored" | "processed" | "failed" | "dismissed";
            /** Format: date-time */
            receivedAt: string;
            waitingFor: string | null;
            attempts: number;
            /** Format: date-time */
            nextAttemptAt: string | null;
            error?: string;
            serviceNumberId: string | null;
            contactId: string | null;
            campaignId: string | null;
            campaignName: string | null;
            /** Format: date-time */
            occurredAt: string;
            /** Format: date-time */
            processedAt: string | null;
            payload: string | null;
            repaired: string[];
        };
        AuditEntry: {
            auditId: string;
            /** Format: date-time */
            at: string;
            actor: string;
            action: string;
            objectType: string;
            objectId: string;
            objectName: string | null;
            before?: unknown;
            after?: unknown;
            requestId: string | null;
            callerRequestId: string | null;
            complete: boolean;
        };
        ListedEvent: {
            /** Format: uuid */
            eventId: string;
            /** @enum {string} */
            type: "campaign.sent" | "campaign.completed" | "subtask.unknown" | "contact.clicked" | "contact.tagged" | "campaign.scheduled" | "campaign.paused" | "campaign.failed" | "campaign.cancelled" | "approval.requested" | "approval.decided" | "automation.entered" | "automation.paused" | "conversation.opened" | "conversation.closed" | "contact.unfollowed" | "audience.imported";
            /** Format: date-time */
            timestamp: string;
            data: {
                [key: string]: unknown;
            };
        };
        Overview: {
            period: {
                /** Format: date-time */
                from: string;
                /** Format: date-time */
                to: string;
                /** Format: date-time */
                previousFrom: string;
            };
            attention: {
                unknownSubTasks: {
                    count: number;
                    items: {
                        campaignId: string;
                        name: string;
                        serviceNumberId: string;
                        key: string;
                        contactCount: number;
                        /** @enum {string} */
                        reason: "outcome_unknown" | "task_not_found";
                        /** Format: date-time */
                        since: string | null;
                    }[];
                };
                sentTwice: {
                    count: number;
                    items: {
                        campaignId: string;
                        name: string;
                        serviceNumberId: string;
                        contacts: number;
                        /** Format: date-time */
                        since: string;
                    }[];
                };
                pausedCampaigns: {
                    count: number;
                    items: {
                        campaignId: string;
                        name: string;
                        serviceNumberId: string;
                        /** @enum {string} */
                        reason: "operator" | "unauthorized" | "late" | "approval" | "deadline";
                        /** Format: date-time */
                        since: string;
                    }[];
                };
                waitingSends: {
                    count: number;
                    items: {
                        campaignId: string;
                        name: string;
                        serviceNumberId: string;
                        contacts: number;
                        requestedBy: string;
                        /** Format: date-time */
                        since: string;
                        isPaused: boolean;
                    }[];
                };
                failedEvents: {
                    count: number;
                    items: {
                        eventId: string;
                        eventType: string;
                        /** Format: date-time */
                        receivedAt: string;
                        error: string | null;
                    }[];
                };
                stuckCampaigns: {
                    count: number;
                    items: {
                        campaignId: string;
                        name: string;
                        serviceNumberId: string;
                        /** @enum {string} */
                        reason: "not_submitted" | "not_polled";
                        /** Format: date-time */
                        since: string;
                    }[];
                };
                refusedSources: {
                    count: number;
                    items: {
                        campaignId: string;
                        name: string;
                        serviceNumberId: string;
                        sourceId: string;
                        /** @enum {string} */
                        call: "update" | "end";
                        code: string;
                        message: string;
                        /** Format: date-time */
                        since: string;
                    }[];
                };
                revenueDiffers: {
                    count: number;
                    items: {
                        campaignId: string;
                        name: string;
                        serviceNumberId: string;
                        currency: string;
                        shown: number;
                        ledger: number;
                        /** Format: date-time */
                        since: string;
                    }[];
                };
            };
            figures: {
                delivered: {
                    current: number;
                    previous: number;
                };
                clickedContacts: {
                    current: number;
                    previous: number;
                };
                conversationsOpened: {
                    current: number;
                    previous: number;
                };
                conversions: {
                    current: number;
                    previous: number;
                };
            };
            revenue: {
                currency: string;
                orders: number;
                paid: number;
                refunded: number;
                net: number;
                previousNet: number;
            }[];
            series: {
                /** @enum {string} */
                unit: "hour" | "day";
                timeZone: string;
                items: {
                    /** Format: date-time */
                    at: string;
                    delivered: number;
                    clicks: number;
                }[];
            };
            lastCampaigns: {
                campaignId: string;
                name: string;
                serviceNumberId: string;
                /** @enum {string} */
                status: "draft" | "scheduled" | "sending" | "paused" | "completed" | "partially_failed" | "failed" | "cancelled" | "closed";
                /** Format: date-time */
                sentAt: string;
                /** Format: date-time */
                startedAt: string | null;
                /** Format: date-time */
                scheduledAt: string | null;
                funnel: {
                    audience: number;
                    sent: number;
                    delivered: number;
                    read: number;
                    clickedContacts: number;
                    conversations: number;
                    conversions: number;
                };
            }[];
            checklist: {
                installed: boolean;
                contactsArriving: boolean;
                firstTag: boolean;
                firstCampaign: boolean;
                firstClick: boolean;
            };
        };
        StandingCampaign: {
            campaignId: string;
            /** @enum {string} */
            phase: "approval" | "paused" | "choice" | "adoption" | "change" | "cancel" | "prepare" | "submit" | "poll" | "platform" | "unknown";
            /** @enum {string} */
            reason: "approval" | "operator" | "unauthorized" | "late" | "deadline" | "choice" | "adoption" | "platform_pause" | "platform_no_response" | "platform_error" | "platform_unauthorized" | "platform_unchanged" | "worker_away" | "engine_away" | "outcome_unknown" | "unexplained";
            /** Format: date-time */
            since: string;
            expectedSeconds: number;
            /** Format: date-time */
            reasonSince: string | null;
            /** Format: date-time */
            until: string | null;
        };
        BatchResult: {
            id: string;
            /** @enum {string} */
            outcome: "done" | "unchanged" | "refused";
            /** @enum {string|null} */
            code: "invalid_request" | "unauthorized" | "forbidden" | "test_contacts_only" | "own_request" | "not_found" | "phase_2" | "too_slow" | "conflict" | "invalid_state" | "in_use" | "approval_required" | "nonce_replayed" | "audience_changed" | "audience_empty" | "gone" | "stale" | "too_large" | "unsupported_media_type" | "invalid_content" | "idempotency_key_reused" | "if_match_required" | "rate_limited" | "internal" | "unavailable" | null;
            detail: string | null;
        };
        Readiness: {
            status: string;
            checks: {
                [key: string]: string;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listWebhookRefusals: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                reason?: "signature" | "replaced_secret" | "nonce" | "nonce_replayed" | "uninstalled" | "too_large" | "incomplete" | "not_json" | "schema";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Webhooks of the tenant that were answered with a 4xx, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["WebhookRefusal"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    uploadImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/*": string;
            };
        };
        responses: {
            /** @description Stores a picture and returns its address, for messages */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    checkImages: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    urls: string[];
                };
            };
        };
        responses: {
            /** @description Opens the pictures of a message as phones will, and says what is wrong with them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        images: components["schemas"]["ImageCheck"][];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                serviceNumberId?: string;
                status?: "draft" | "scheduled" | "sending" | "paused" | "completed" | "partially_failed" | "failed" | "cancelled" | "closed";
                approval?: "waiting";
                q?: string;
                task?: string;
                audienceId?: string;
                label?: string | string[];
                from?: string;
                to?: string;
                had?: "delivered" | "clickedContacts" | "conversationsOpened" | "conversions";
                sort?: "createdAt" | "-createdAt" | "name" | "-name";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Campaigns, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ListedCampaign"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Autumn beans",
                 *       "serviceNumberId": "sn-harbor",
                 *       "messages": [
                 *         {
                 *           "type": "text",
                 *           "text": "The autumn beans are here."
                 *         }
                 *       ],
                 *       "audience": {
                 *         "type": "contacts",
                 *         "contactIds": [
                 *           "sn-harbor-000001"
                 *         ]
                 *       },
                 *       "schedule": {
                 *         "type": "immediate"
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    note?: string | null;
                    /**
                     * @default [
                     *       "default"
                     *     ]
                     */
                    channels?: string[];
                    messages?: ({
                        /** @enum {string} */
                        type: "buttons";
                        title: string;
                        text: string;
                        /** Format: uri */
                        image?: string;
                        actions: ({
                            /** @enum {string} */
                            type: "Postback";
                            label: string;
                            data?: string | {
                                [key: string]: unknown;
                            };
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        } | {
                            /** @enum {string} */
                            type: "Url";
                            label: string;
                            /** Format: uri */
                            url: string;
                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                            tracked?: boolean;
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        })[];
                    } | {
                        /** @enum {string} */
                        type: "text";
                        text: string;
                    } | {
                        /** @enum {string} */
                        type: "image";
                        /** Format: uri */
                        url: string;
                    } | {
                        /** @enum {string} */
                        type: "file";
                        /** Format: uri */
                        url: string;
                        name: string;
                    })[] | null;
                    messagesBy?: {
                        field: ("language" | "region" | "channel") | {
                            attribute: string;
                        };
                        cases: {
                            values: string[];
                            messages: ({
                                /** @enum {string} */
                                type: "buttons";
                                title: string;
                                text: string;
                                /** Format: uri */
                                image?: string;
                                actions: ({
                                    /** @enum {string} */
                                    type: "Postback";
                                    label: string;
                                    data?: string | {
                                        [key: string]: unknown;
                                    };
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                } | {
                                    /** @enum {string} */
                                    type: "Url";
                                    label: string;
                                    /** Format: uri */
                                    url: string;
                                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                    tracked?: boolean;
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                })[];
                            } | {
                                /** @enum {string} */
                                type: "text";
                                text: string;
                            } | {
                                /** @enum {string} */
                                type: "image";
                                /** Format: uri */
                                url: string;
                            } | {
                                /** @enum {string} */
                                type: "file";
                                /** Format: uri */
                                url: string;
                                name: string;
                            })[];
                        }[];
                        otherwise: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[] | "skip";
                    } | null;
                    variants?: {
                        name: string;
                        sharePercent: number;
                        others: {
                            name: string;
                            sharePercent: number;
                            messages: ({
                                /** @enum {string} */
                                type: "buttons";
                                title: string;
                                text: string;
                                /** Format: uri */
                                image?: string;
                                actions: ({
                                    /** @enum {string} */
                                    type: "Postback";
                                    label: string;
                                    data?: string | {
                                        [key: string]: unknown;
                                    };
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                } | {
                                    /** @enum {string} */
                                    type: "Url";
                                    label: string;
                                    /** Format: uri */
                                    url: string;
                                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                    tracked?: boolean;
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                })[];
                            } | {
                                /** @enum {string} */
                                type: "text";
                                text: string;
                            } | {
                                /** @enum {string} */
                                type: "image";
                                /** Format: uri */
                                url: string;
                            } | {
                                /** @enum {string} */
                                type: "file";
                                /** Format: uri */
                                url: string;
                                name: string;
                            })[];
                        }[];
                        winner: {
                            by: {
                                /** @enum {string} */
                                type: "clicks";
                            } | {
                                /** @enum {string} */
                                type: "eventCode";
                                bizEventCode: string;
                            } | {
                                /** @enum {string} */
                                type: "tag";
                                tagId: string;
                            };
                            /** @enum {string} */
                            decide: "hand" | "automatic";
                            afterHours: number;
                            /** @enum {string} */
                            otherwise: "best" | "hand";
                            minimum: number;
                        };
                    } | null;
                    audience: {
                        /** @enum {string} */
                        type: "contacts";
                        contactIds?: string[];
                        audienceId?: string;
                        take?: {
                            percent: number;
                        } | {
                            atMost: number;
                        };
                    } | {
                        /** @enum {string} */
                        type: "app_tags";
                        appTagIds: string[];
                        /** @enum {string} */
                        tagOperator: "AND" | "OR";
                        excludeTagIds?: string[];
                        take?: {
                            percent: number;
                        } | {
                            atMost: number;
                        };
                    } | {
                        /** @enum {string} */
                        type: "segment";
                        segment: components["schemas"]["Segment"];
                        take?: {
                            percent: number;
                        } | {
                            atMost: number;
                        };
                    } | ({
                        /** @enum {string} */
                        type: "ai_query";
                    } & {
                        [key: string]: unknown;
                    });
                    schedule: {
                        /** @enum {string} */
                        type: "immediate";
                    } | {
                        /** @enum {string} */
                        type: "scheduled";
                        /** Format: date-time */
                        at: string;
                        /** @enum {string} */
                        audience?: "now" | "at_start";
                    };
                    /** Format: date-time */
                    endsAt?: string | null;
                    holdoutPercent?: number | null;
                    revenueWindowDays?: number | null;
                    pace?: {
                        perMinute?: number;
                        /** Format: date-time */
                        evenlyUntil?: string;
                        quietHours?: {
                            /** @description A time of day, as 21:00 */
                            from: string;
                            /** @description A time of day, as 21:00 */
                            to: string;
                            zone: string;
                        } | "none";
                        /** Format: date-time */
                        deadline?: string;
                    } | null;
                    steps?: {
                        after: {
                            amount: number;
                            /** @enum {string} */
                            unit: "hours" | "days";
                        };
                        condition: {
                            /** @enum {string} */
                            outcome: "clicked" | "not_clicked" | "conversed" | "not_conversed";
                            messageIndex?: number;
                            actionIndex?: number;
                            bizEventCode?: string;
                        };
                        messages?: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[] | null;
                        messagesBy?: {
                            field: ("language" | "region" | "channel") | {
                                attribute: string;
                            };
                            cases: {
                                values: string[];
                                messages: ({
                                    /** @enum {string} */
                                    type: "buttons";
                                    title: string;
                                    text: string;
                                    /** Format: uri */
                                    image?: string;
                                    actions: ({
                                        /** @enum {string} */
                                        type: "Postback";
                                        label: string;
                                        data?: string | {
                                            [key: string]: unknown;
                                        };
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    } | {
                                        /** @enum {string} */
                                        type: "Url";
                                        label: string;
                                        /** Format: uri */
                                        url: string;
                                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                        tracked?: boolean;
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    })[];
                                } | {
                                    /** @enum {string} */
                                    type: "text";
                                    text: string;
                                } | {
                                    /** @enum {string} */
                                    type: "image";
                                    /** Format: uri */
                                    url: string;
                                } | {
                                    /** @enum {string} */
                                    type: "file";
                                    /** Format: uri */
                                    url: string;
                                    name: string;
                                })[];
                            }[];
                            otherwise: ({
                                /** @enum {string} */
                                type: "buttons";
                                title: string;
                                text: string;
                                /** Format: uri */
                                image?: string;
                                actions: ({
                                    /** @enum {string} */
                                    type: "Postback";
                                    label: string;
                                    data?: string | {
                                        [key: string]: unknown;
                                    };
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                } | {
                                    /** @enum {string} */
                                    type: "Url";
                                    label: string;
                                    /** Format: uri */
                                    url: string;
                                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                    tracked?: boolean;
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                })[];
                            } | {
                                /** @enum {string} */
                                type: "text";
                                text: string;
                            } | {
                                /** @enum {string} */
                                type: "image";
                                /** Format: uri */
                                url: string;
                            } | {
                                /** @enum {string} */
                                type: "file";
                                /** Format: uri */
                                url: string;
                                name: string;
                            })[] | "skip";
                        } | null;
                    }[] | null;
                    utm?: {
                        source?: string;
                        medium?: string;
                        campaign?: string;
                        term?: string;
                        content?: string;
                    } | null;
                    /** @default [] */
                    labels?: string[];
                    serviceNumberId: string;
                };
            };
        };
        responses: {
            /** @description Creates a draft */
            201: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEventCodes: {
        parameters: {
            query?: {
                serviceNumberId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Event codes of replies in the last 100 campaigns, to choose from */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: string[];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One campaign, with its version as ETag */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_state`: Not possible in this state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `if_match_required`: If-Match is required */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateCampaign: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    note?: string | null;
                    channels?: string[];
                    messages?: ({
                        /** @enum {string} */
                        type: "buttons";
                        title: string;
                        text: string;
                        /** Format: uri */
                        image?: string;
                        actions: ({
                            /** @enum {string} */
                            type: "Postback";
                            label: string;
                            data?: string | {
                                [key: string]: unknown;
                            };
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        } | {
                            /** @enum {string} */
                            type: "Url";
                            label: string;
                            /** Format: uri */
                            url: string;
                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                            tracked?: boolean;
                            title?: string;
                            text?: string;
                            /** Format: uri */
                            imageUrl?: string;
                            displayText?: string;
                            isDefault?: boolean;
                        })[];
                    } | {
                        /** @enum {string} */
                        type: "text";
                        text: string;
                    } | {
                        /** @enum {string} */
                        type: "image";
                        /** Format: uri */
                        url: string;
                    } | {
                        /** @enum {string} */
                        type: "file";
                        /** Format: uri */
                        url: string;
                        name: string;
                    })[] | null;
                    messagesBy?: {
                        field: ("language" | "region" | "channel") | {
                            attribute: string;
                        };
                        cases: {
                            values: string[];
                            messages: ({
                                /** @enum {string} */
                                type: "buttons";
                                title: string;
                                text: string;
                                /** Format: uri */
                                image?: string;
                                actions: ({
                                    /** @enum {string} */
                                    type: "Postback";
                                    label: string;
                                    data?: string | {
                                        [key: string]: unknown;
                                    };
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                } | {
                                    /** @enum {string} */
                                    type: "Url";
                                    label: string;
                                    /** Format: uri */
                                    url: string;
                                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                    tracked?: boolean;
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                })[];
                            } | {
                                /** @enum {string} */
                                type: "text";
                                text: string;
                            } | {
                                /** @enum {string} */
                                type: "image";
                                /** Format: uri */
                                url: string;
                            } | {
                                /** @enum {string} */
                                type: "file";
                                /** Format: uri */
                                url: string;
                                name: string;
                            })[];
                        }[];
                        otherwise: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[] | "skip";
                    } | null;
                    variants?: {
                        name: string;
                        sharePercent: number;
                        others: {
                            name: string;
                            sharePercent: number;
                            messages: ({
                                /** @enum {string} */
                                type: "buttons";
                                title: string;
                                text: string;
                                /** Format: uri */
                                image?: string;
                                actions: ({
                                    /** @enum {string} */
                                    type: "Postback";
                                    label: string;
                                    data?: string | {
                                        [key: string]: unknown;
                                    };
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                } | {
                                    /** @enum {string} */
                                    type: "Url";
                                    label: string;
                                    /** Format: uri */
                                    url: string;
                                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                    tracked?: boolean;
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                })[];
                            } | {
                                /** @enum {string} */
                                type: "text";
                                text: string;
                            } | {
                                /** @enum {string} */
                                type: "image";
                                /** Format: uri */
                                url: string;
                            } | {
                                /** @enum {string} */
                                type: "file";
                                /** Format: uri */
                                url: string;
                                name: string;
                            })[];
                        }[];
                        winner: {
                            by: {
                                /** @enum {string} */
                                type: "clicks";
                            } | {
                                /** @enum {string} */
                                type: "eventCode";
                                bizEventCode: string;
                            } | {
                                /** @enum {string} */
                                type: "tag";
                                tagId: string;
                            };
                            /** @enum {string} */
                            decide: "hand" | "automatic";
                            afterHours: number;
                            /** @enum {string} */
                            otherwise: "best" | "hand";
                            minimum: number;
                        };
                    } | null;
                    audience?: {
                        /** @enum {string} */
                        type: "contacts";
                        contactIds?: string[];
                        audienceId?: string;
                        take?: {
                            percent: number;
                        } | {
                            atMost: number;
                        };
                    } | {
                        /** @enum {string} */
                        type: "app_tags";
                        appTagIds: string[];
                        /** @enum {string} */
                        tagOperator: "AND" | "OR";
                        excludeTagIds?: string[];
                        take?: {
                            percent: number;
                        } | {
                            atMost: number;
                        };
                    } | {
                        /** @enum {string} */
                        type: "segment";
                        segment: components["schemas"]["Segment"];
                        take?: {
                            percent: number;
                        } | {
                            atMost: number;
                        };
                    } | ({
                        /** @enum {string} */
                        type: "ai_query";
                    } & {
                        [key: string]: unknown;
                    });
                    schedule?: {
                        /** @enum {string} */
                        type: "immediate";
                    } | {
                        /** @enum {string} */
                        type: "scheduled";
                        /** Format: date-time */
                        at: string;
                        /** @enum {string} */
                        audience?: "now" | "at_start";
                    };
                    /** Format: date-time */
                    endsAt?: string | null;
                    holdoutPercent?: number | null;
                    revenueWindowDays?: number | null;
                    pace?: {
                        perMinute?: number;
                        /** Format: date-time */
                        evenlyUntil?: string;
                        quietHours?: {
                            /** @description A time of day, as 21:00 */
                            from: string;
                            /** @description A time of day, as 21:00 */
                            to: string;
                            zone: string;
                        } | "none";
                        /** Format: date-time */
                        deadline?: string;
                    } | null;
                    steps?: {
                        after: {
                            amount: number;
                            /** @enum {string} */
                            unit: "hours" | "days";
                        };
                        condition: {
                            /** @enum {string} */
                            outcome: "clicked" | "not_clicked" | "conversed" | "not_conversed";
                            messageIndex?: number;
                            actionIndex?: number;
                            bizEventCode?: string;
                        };
                        messages?: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[] | null;
                        messagesBy?: {
                            field: ("language" | "region" | "channel") | {
                                attribute: string;
                            };
                            cases: {
                                values: string[];
                                messages: ({
                                    /** @enum {string} */
                                    type: "buttons";
                                    title: string;
                                    text: string;
                                    /** Format: uri */
                                    image?: string;
                                    actions: ({
                                        /** @enum {string} */
                                        type: "Postback";
                                        label: string;
                                        data?: string | {
                                            [key: string]: unknown;
                                        };
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    } | {
                                        /** @enum {string} */
                                        type: "Url";
                                        label: string;
                                        /** Format: uri */
                                        url: string;
                                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                        tracked?: boolean;
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    })[];
                                } | {
                                    /** @enum {string} */
                                    type: "text";
                                    text: string;
                                } | {
                                    /** @enum {string} */
                                    type: "image";
                                    /** Format: uri */
                                    url: string;
                                } | {
                                    /** @enum {string} */
                                    type: "file";
                                    /** Format: uri */
                                    url: string;
                                    name: string;
                                })[];
                            }[];
                            otherwise: ({
                                /** @enum {string} */
                                type: "buttons";
                                title: string;
                                text: string;
                                /** Format: uri */
                                image?: string;
                                actions: ({
                                    /** @enum {string} */
                                    type: "Postback";
                                    label: string;
                                    data?: string | {
                                        [key: string]: unknown;
                                    };
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                } | {
                                    /** @enum {string} */
                                    type: "Url";
                                    label: string;
                                    /** Format: uri */
                                    url: string;
                                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                    tracked?: boolean;
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                })[];
                            } | {
                                /** @enum {string} */
                                type: "text";
                                text: string;
                            } | {
                                /** @enum {string} */
                                type: "image";
                                /** Format: uri */
                                url: string;
                            } | {
                                /** @enum {string} */
                                type: "file";
                                /** Format: uri */
                                url: string;
                                name: string;
                            })[] | "skip";
                        } | null;
                    }[] | null;
                    utm?: {
                        source?: string;
                        medium?: string;
                        campaign?: string;
                        term?: string;
                        content?: string;
                    } | null;
                    labels?: string[];
                    serviceNumberId?: string;
                };
            };
        };
        responses: {
            /** @description Changes a draft; a scheduled campaign until it starts; after that only name, note, labels and endsAt */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `invalid_state`: Not possible in this state
             *     - `approval_required`: Another operator has to approve it
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `if_match_required`: If-Match is required */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    duplicateCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Copies the content into a new draft */
            201: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendCampaign: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    expectedReachableCount?: number;
                };
            };
        };
        responses: {
            /** @description Resolves the audience, freezes it and starts sending */
            202: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `invalid_state`: Not possible in this state
             *     - `audience_changed`: The audience changed
             *     - `audience_empty`: The audience reaches nobody
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stops what has not been submitted yet */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Resumes a paused campaign */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             *     - `approval_required`: Another operator has to approve it
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancels scheduled sub-tasks on the platform and those not submitted yet */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    closeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Closes a sent campaign: nothing more is sent, and its entry source ends (F3); happens automatically at endsAt */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryFailed: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sends again to exactly the contacts of sub-tasks that were rejected, or failed with nothing sent */
            202: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_state`: Not possible in this state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testSendCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contactIds: string[];
                    variant?: string;
                };
            };
        };
        responses: {
            /** @description Sends the content, even of a draft, to at most 20 chosen contacts; test sends are not counted anywhere */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestSend"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `forbidden`: Not allowed
             *     - `test_contacts_only`: Only to test contacts
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resolveSubTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    outcome: "sent";
                    taskId: string;
                } | {
                    /** @enum {string} */
                    outcome: "not_sent";
                };
            };
        };
        responses: {
            /** @description Resolves an unknown sub-task */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubTask"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sub-task states and counts; contacts of all states add up to audienceCount */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Progress"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events named `progress`, each a Progress, sent on every change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Progress"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getResults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Progress with clicks, conversations and tags */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Results"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSubTasks: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "pending" | "submitting" | "unknown" | "rejected" | "scheduled" | "sending" | "completed" | "cancelled" | "failed";
                task?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sub-tasks of every send of the campaign */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SubTask"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listClicks: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                messageIndex?: number | null;
                actionIndex?: number | null;
                bizEventCode?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Attributed clicks, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Click"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCalendar: {
        parameters: {
            query: {
                from: string;
                to: string;
                serviceNumberId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Campaigns and automations that begin within a period, and the coming runs of active repeats */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["CalendarItem"][];
                        hasMore: boolean;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    withdrawSend: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    approvalId: string;
                };
            };
        };
        responses: {
            /** @description Takes back the own request for approval; the campaign can be changed again, and one that is paused is cancelled */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                kind?: "card" | "campaign" | "message";
                serviceNumberId?: string;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Templates, those that were changed last first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ListedTemplate"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    content: {
                        campaignName: string | null;
                        note: string | null;
                        messages?: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[] | null;
                        messagesBy?: {
                            field: ("language" | "region" | "channel") | {
                                attribute: string;
                            };
                            cases: {
                                values: string[];
                                messages: ({
                                    /** @enum {string} */
                                    type: "buttons";
                                    title: string;
                                    text: string;
                                    /** Format: uri */
                                    image?: string;
                                    actions: ({
                                        /** @enum {string} */
                                        type: "Postback";
                                        label: string;
                                        data?: string | {
                                            [key: string]: unknown;
                                        };
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    } | {
                                        /** @enum {string} */
                                        type: "Url";
                                        label: string;
                                        /** Format: uri */
                                        url: string;
                                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                        tracked?: boolean;
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    })[];
                                } | {
                                    /** @enum {string} */
                                    type: "text";
                                    text: string;
                                } | {
                                    /** @enum {string} */
                                    type: "image";
                                    /** Format: uri */
                                    url: string;
                                } | {
                                    /** @enum {string} */
                                    type: "file";
                                    /** Format: uri */
                                    url: string;
                                    name: string;
                                })[];
                            }[];
                            otherwise: ({
                                /** @enum {string} */
                                type: "buttons";
                                title: string;
                                text: string;
                                /** Format: uri */
                                image?: string;
                                actions: ({
                                    /** @enum {string} */
                                    type: "Postback";
                                    label: string;
                                    data?: string | {
                                        [key: string]: unknown;
                                    };
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                } | {
                                    /** @enum {string} */
                                    type: "Url";
                                    label: string;
                                    /** Format: uri */
                                    url: string;
                                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                    tracked?: boolean;
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                })[];
                            } | {
                                /** @enum {string} */
                                type: "text";
                                text: string;
                            } | {
                                /** @enum {string} */
                                type: "image";
                                /** Format: uri */
                                url: string;
                            } | {
                                /** @enum {string} */
                                type: "file";
                                /** Format: uri */
                                url: string;
                                name: string;
                            })[] | "skip";
                        } | null;
                        utm?: {
                            source?: string;
                            medium?: string;
                            campaign?: string;
                            term?: string;
                            content?: string;
                        } | null;
                        variants?: {
                            name: string;
                            sharePercent: number;
                            others: {
                                name: string;
                                sharePercent: number;
                                messages: ({
                                    /** @enum {string} */
                                    type: "buttons";
                                    title: string;
                                    text: string;
                                    /** Format: uri */
                                    image?: string;
                                    actions: ({
                                        /** @enum {string} */
                                        type: "Postback";
                                        label: string;
                                        data?: string | {
                                            [key: string]: unknown;
                                        };
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    } | {
                                        /** @enum {string} */
                                        type: "Url";
                                        label: string;
                                        /** Format: uri */
                                        url: string;
                                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                        tracked?: boolean;
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    })[];
                                } | {
                                    /** @enum {string} */
                                    type: "text";
                                    text: string;
                                } | {
                                    /** @enum {string} */
                                    type: "image";
                                    /** Format: uri */
                                    url: string;
                                } | {
                                    /** @enum {string} */
                                    type: "file";
                                    /** Format: uri */
                                    url: string;
                                    name: string;
                                })[];
                            }[];
                            winner: {
                                by: {
                                    /** @enum {string} */
                                    type: "clicks";
                                } | {
                                    /** @enum {string} */
                                    type: "eventCode";
                                    bizEventCode: string;
                                } | {
                                    /** @enum {string} */
                                    type: "tag";
                                    tagId: string;
                                };
                                /** @enum {string} */
                                decide: "hand" | "automatic";
                                afterHours: number;
                                /** @enum {string} */
                                otherwise: "best" | "hand";
                                minimum: number;
                            };
                        } | null;
                        steps?: {
                            after: {
                                amount: number;
                                /** @enum {string} */
                                unit: "hours" | "days";
                            };
                            condition: {
                                /** @enum {string} */
                                outcome: "clicked" | "not_clicked" | "conversed" | "not_conversed";
                                messageIndex?: number;
                                actionIndex?: number;
                                bizEventCode?: string;
                            };
                            messages?: ({
                                /** @enum {string} */
                                type: "buttons";
                                title: string;
                                text: string;
                                /** Format: uri */
                                image?: string;
                                actions: ({
                                    /** @enum {string} */
                                    type: "Postback";
                                    label: string;
                                    data?: string | {
                                        [key: string]: unknown;
                                    };
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                } | {
                                    /** @enum {string} */
                                    type: "Url";
                                    label: string;
                                    /** Format: uri */
                                    url: string;
                                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                    tracked?: boolean;
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                })[];
                            } | {
                                /** @enum {string} */
                                type: "text";
                                text: string;
                            } | {
                                /** @enum {string} */
                                type: "image";
                                /** Format: uri */
                                url: string;
                            } | {
                                /** @enum {string} */
                                type: "file";
                                /** Format: uri */
                                url: string;
                                name: string;
                            })[] | null;
                            messagesBy?: {
                                field: ("language" | "region" | "channel") | {
                                    attribute: string;
                                };
                                cases: {
                                    values: string[];
                                    messages: ({
                                        /** @enum {string} */
                                        type: "buttons";
                                        title: string;
                                        text: string;
                                        /** Format: uri */
                                        image?: string;
                                        actions: ({
                                            /** @enum {string} */
                                            type: "Postback";
                                            label: string;
                                            data?: string | {
                                                [key: string]: unknown;
                                            };
                                            title?: string;
                                            text?: string;
                                            /** Format: uri */
                                            imageUrl?: string;
                                            displayText?: string;
                                            isDefault?: boolean;
                                        } | {
                                            /** @enum {string} */
                                            type: "Url";
                                            label: string;
                                            /** Format: uri */
                                            url: string;
                                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                            tracked?: boolean;
                                            title?: string;
                                            text?: string;
                                            /** Format: uri */
                                            imageUrl?: string;
                                            displayText?: string;
                                            isDefault?: boolean;
                                        })[];
                                    } | {
                                        /** @enum {string} */
                                        type: "text";
                                        text: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "image";
                                        /** Format: uri */
                                        url: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "file";
                                        /** Format: uri */
                                        url: string;
                                        name: string;
                                    })[];
                                }[];
                                otherwise: ({
                                    /** @enum {string} */
                                    type: "buttons";
                                    title: string;
                                    text: string;
                                    /** Format: uri */
                                    image?: string;
                                    actions: ({
                                        /** @enum {string} */
                                        type: "Postback";
                                        label: string;
                                        data?: string | {
                                            [key: string]: unknown;
                                        };
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    } | {
                                        /** @enum {string} */
                                        type: "Url";
                                        label: string;
                                        /** Format: uri */
                                        url: string;
                                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                        tracked?: boolean;
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    })[];
                                } | {
                                    /** @enum {string} */
                                    type: "text";
                                    text: string;
                                } | {
                                    /** @enum {string} */
                                    type: "image";
                                    /** Format: uri */
                                    url: string;
                                } | {
                                    /** @enum {string} */
                                    type: "file";
                                    /** Format: uri */
                                    url: string;
                                    name: string;
                                })[] | "skip";
                            } | null;
                        }[] | null;
                    };
                    /** @default [] */
                    variables?: {
                        name: string;
                        label?: string;
                        default?: string;
                    }[];
                    /** @enum {string} */
                    kind: "card" | "campaign" | "message";
                    serviceNumberId?: string | null;
                };
            };
        };
        responses: {
            /** @description Keeps a card, any one message as a snippet, or a campaign with its variants and what follows, to make campaigns from */
            201: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                templateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One template with its newest version */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                templateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateTemplate: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                templateId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    content?: {
                        campaignName: string | null;
                        note: string | null;
                        messages?: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[] | null;
                        messagesBy?: {
                            field: ("language" | "region" | "channel") | {
                                attribute: string;
                            };
                            cases: {
                                values: string[];
                                messages: ({
                                    /** @enum {string} */
                                    type: "buttons";
                                    title: string;
                                    text: string;
                                    /** Format: uri */
                                    image?: string;
                                    actions: ({
                                        /** @enum {string} */
                                        type: "Postback";
                                        label: string;
                                        data?: string | {
                                            [key: string]: unknown;
                                        };
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    } | {
                                        /** @enum {string} */
                                        type: "Url";
                                        label: string;
                                        /** Format: uri */
                                        url: string;
                                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                        tracked?: boolean;
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    })[];
                                } | {
                                    /** @enum {string} */
                                    type: "text";
                                    text: string;
                                } | {
                                    /** @enum {string} */
                                    type: "image";
                                    /** Format: uri */
                                    url: string;
                                } | {
                                    /** @enum {string} */
                                    type: "file";
                                    /** Format: uri */
                                    url: string;
                                    name: string;
                                })[];
                            }[];
                            otherwise: ({
                                /** @enum {string} */
                                type: "buttons";
                                title: string;
                                text: string;
                                /** Format: uri */
                                image?: string;
                                actions: ({
                                    /** @enum {string} */
                                    type: "Postback";
                                    label: string;
                                    data?: string | {
                                        [key: string]: unknown;
                                    };
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                } | {
                                    /** @enum {string} */
                                    type: "Url";
                                    label: string;
                                    /** Format: uri */
                                    url: string;
                                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                    tracked?: boolean;
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                })[];
                            } | {
                                /** @enum {string} */
                                type: "text";
                                text: string;
                            } | {
                                /** @enum {string} */
                                type: "image";
                                /** Format: uri */
                                url: string;
                            } | {
                                /** @enum {string} */
                                type: "file";
                                /** Format: uri */
                                url: string;
                                name: string;
                            })[] | "skip";
                        } | null;
                        utm?: {
                            source?: string;
                            medium?: string;
                            campaign?: string;
                            term?: string;
                            content?: string;
                        } | null;
                        variants?: {
                            name: string;
                            sharePercent: number;
                            others: {
                                name: string;
                                sharePercent: number;
                                messages: ({
                                    /** @enum {string} */
                                    type: "buttons";
                                    title: string;
                                    text: string;
                                    /** Format: uri */
                                    image?: string;
                                    actions: ({
                                        /** @enum {string} */
                                        type: "Postback";
                                        label: string;
                                        data?: string | {
                                            [key: string]: unknown;
                                        };
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    } | {
                                        /** @enum {string} */
                                        type: "Url";
                                        label: string;
                                        /** Format: uri */
                                        url: string;
                                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                        tracked?: boolean;
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    })[];
                                } | {
                                    /** @enum {string} */
                                    type: "text";
                                    text: string;
                                } | {
                                    /** @enum {string} */
                                    type: "image";
                                    /** Format: uri */
                                    url: string;
                                } | {
                                    /** @enum {string} */
                                    type: "file";
                                    /** Format: uri */
                                    url: string;
                                    name: string;
                                })[];
                            }[];
                            winner: {
                                by: {
                                    /** @enum {string} */
                                    type: "clicks";
                                } | {
                                    /** @enum {string} */
                                    type: "eventCode";
                                    bizEventCode: string;
                                } | {
                                    /** @enum {string} */
                                    type: "tag";
                                    tagId: string;
                                };
                                /** @enum {string} */
                                decide: "hand" | "automatic";
                                afterHours: number;
                                /** @enum {string} */
                                otherwise: "best" | "hand";
                                minimum: number;
                            };
                        } | null;
                        steps?: {
                            after: {
                                amount: number;
                                /** @enum {string} */
                                unit: "hours" | "days";
                            };
                            condition: {
                                /** @enum {string} */
                                outcome: "clicked" | "not_clicked" | "conversed" | "not_conversed";
                                messageIndex?: number;
                                actionIndex?: number;
                                bizEventCode?: string;
                            };
                            messages?: ({
                                /** @enum {string} */
                                type: "buttons";
                                title: string;
                                text: string;
                                /** Format: uri */
                                image?: string;
                                actions: ({
                                    /** @enum {string} */
                                    type: "Postback";
                                    label: string;
                                    data?: string | {
                                        [key: string]: unknown;
                                    };
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                } | {
                                    /** @enum {string} */
                                    type: "Url";
                                    label: string;
                                    /** Format: uri */
                                    url: string;
                                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                    tracked?: boolean;
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                })[];
                            } | {
                                /** @enum {string} */
                                type: "text";
                                text: string;
                            } | {
                                /** @enum {string} */
                                type: "image";
                                /** Format: uri */
                                url: string;
                            } | {
                                /** @enum {string} */
                                type: "file";
                                /** Format: uri */
                                url: string;
                                name: string;
                            })[] | null;
                            messagesBy?: {
                                field: ("language" | "region" | "channel") | {
                                    attribute: string;
                                };
                                cases: {
                                    values: string[];
                                    messages: ({
                                        /** @enum {string} */
                                        type: "buttons";
                                        title: string;
                                        text: string;
                                        /** Format: uri */
                                        image?: string;
                                        actions: ({
                                            /** @enum {string} */
                                            type: "Postback";
                                            label: string;
                                            data?: string | {
                                                [key: string]: unknown;
                                            };
                                            title?: string;
                                            text?: string;
                                            /** Format: uri */
                                            imageUrl?: string;
                                            displayText?: string;
                                            isDefault?: boolean;
                                        } | {
                                            /** @enum {string} */
                                            type: "Url";
                                            label: string;
                                            /** Format: uri */
                                            url: string;
                                            /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                            tracked?: boolean;
                                            title?: string;
                                            text?: string;
                                            /** Format: uri */
                                            imageUrl?: string;
                                            displayText?: string;
                                            isDefault?: boolean;
                                        })[];
                                    } | {
                                        /** @enum {string} */
                                        type: "text";
                                        text: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "image";
                                        /** Format: uri */
                                        url: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "file";
                                        /** Format: uri */
                                        url: string;
                                        name: string;
                                    })[];
                                }[];
                                otherwise: ({
                                    /** @enum {string} */
                                    type: "buttons";
                                    title: string;
                                    text: string;
                                    /** Format: uri */
                                    image?: string;
                                    actions: ({
                                        /** @enum {string} */
                                        type: "Postback";
                                        label: string;
                                        data?: string | {
                                            [key: string]: unknown;
                                        };
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    } | {
                                        /** @enum {string} */
                                        type: "Url";
                                        label: string;
                                        /** Format: uri */
                                        url: string;
                                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                        tracked?: boolean;
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    })[];
                                } | {
                                    /** @enum {string} */
                                    type: "text";
                                    text: string;
                                } | {
                                    /** @enum {string} */
                                    type: "image";
                                    /** Format: uri */
                                    url: string;
                                } | {
                                    /** @enum {string} */
                                    type: "file";
                                    /** Format: uri */
                                    url: string;
                                    name: string;
                                })[] | "skip";
                            } | null;
                        }[] | null;
                    };
                    variables?: {
                        name: string;
                        label?: string;
                        default?: string;
                    }[];
                    basedOn?: number;
                };
            };
        };
        responses: {
            /** @description Renames a template, or gives it a new version */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTemplateVersions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                templateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The versions of a template, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["TemplateVersion"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restoreTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                templateId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    version: number;
                    basedOn: number;
                };
            };
        };
        responses: {
            /** @description Gives a template a new version that is the same as an earlier one */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    useTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                templateId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    serviceNumberId: string;
                    name?: string;
                    /** @default {} */
                    values?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Makes a draft from the newest version, with a value for each variable */
            201: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dryRunCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Rehearses a send without the platform, and stores the resolved set in place of the last one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DryRun"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAudienceDrift: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Contacts that the first send reached but the last dry run before it did not, and vice versa */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AudienceDrift"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPossibleActions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What can be done with a campaign now, and how many contacts it would affect */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PossibleActions"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDispatches: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sends of a campaign with their frozen audiences, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Dispatch"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSubTaskContacts: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contacts frozen for a sub-task, by id */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SubTaskContact"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether a contact was in the frozen audience, and the outcome of its sub-tasks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recipient"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCampaignContacts: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                outcome?: "received" | "not_received" | "clicked" | "not_clicked" | "conversed" | "converted" | "held_back";
                messageIndex?: number | null;
                actionIndex?: number | null;
                bizEventCode?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contacts of a campaign by id, with what each did and why that is known */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["CampaignContact"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCampaignHistory: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                by?: "people" | "system";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every change and transition of a campaign, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["CampaignHistoryItem"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTenantLift: {
        parameters: {
            query: {
                from: string;
                to: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All contacts against the tenant’s control group: how many converted, and what they paid */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantLift"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLift: {
        parameters: {
            query?: {
                windowDays?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Those sent to against the control group: how many converted, the difference and its 95 % interval */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lift"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVariantTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The test of the campaign’s variants: what each brought about, and whether one is proven to be the best */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariantTest"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    chooseVariant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Chooses the variant that the rest of the audience gets, and sends it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariantTest"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSteps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What follows the campaign, and where each step is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["CampaignStep"][];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelSteps: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default 1 */
                    from?: number;
                };
            };
        };
        responses: {
            /** @description Cancels the steps that were not sent, from one on; what was sent goes on */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["CampaignStep"][];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeSteps: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Resumes a paused step, which is then sent when it is due, or at once if it was */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["CampaignStep"][];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getForecast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the last dry run forecast of the send, beside what it took */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForecastComparison"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    saveClickers: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    messageIndex?: number;
                    actionIndex?: number;
                    bizEventCode?: string;
                };
            };
        };
        responses: {
            /** @description Saves those who clicked as a list */
            201: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audience"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tagClickers: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    tagId: string;
                    messageIndex?: number;
                    actionIndex?: number;
                    bizEventCode?: string;
                };
            };
        };
        responses: {
            /** @description Gives a tag to those who clicked; whoever has it keeps it as it is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        assigned: number;
                        finished: boolean;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    saveCampaignContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    outcome: "received" | "not_received" | "clicked" | "not_clicked" | "conversed" | "converted" | "held_back";
                    messageIndex?: number;
                    actionIndex?: number;
                    bizEventCode?: string;
                };
            };
        };
        responses: {
            /** @description Saves the contacts with an outcome as a list, which does not change with the campaign */
            201: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audience"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tagCampaignContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    tagId: string;
                    /** @enum {string} */
                    outcome: "received" | "not_received" | "clicked" | "not_clicked" | "conversed" | "converted" | "held_back";
                    messageIndex?: number;
                    actionIndex?: number;
                    bizEventCode?: string;
                };
            };
        };
        responses: {
            /** @description Gives a tag to the contacts with an outcome; whoever has it keeps it as it is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        assigned: number;
                        finished: boolean;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    followUpCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    audienceName: string;
                };
            };
        };
        responses: {
            /** @description Copies the content into a new draft for those who received the campaign and did not click */
            201: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRepeats: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                serviceNumberId?: string;
                status?: "active" | "paused" | "ended";
                campaignId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Campaigns on a calendar, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Repeat"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createRepeat: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    calendar: {
                        /** @enum {string} */
                        type: "daily";
                        /** @description A time of day, as 21:00 */
                        at: string;
                    } | {
                        /** @enum {string} */
                        type: "weekly";
                        /** @description A time of day, as 21:00 */
                        at: string;
                        days: number[];
                    } | {
                        /** @enum {string} */
                        type: "monthly";
                        /** @description A time of day, as 21:00 */
                        at: string;
                        day: number;
                    } | {
                        /** @enum {string} */
                        type: "cron";
                        expression: string;
                    };
                    zone: string;
                    /**
                     * Format: date-time
                     * @default null
                     */
                    until?: string | null;
                    /** @default null */
                    maxRuns?: number | null;
                    /** @default false */
                    skipReached?: boolean;
                    campaignId: string;
                };
            };
        };
        responses: {
            /** @description Sends copies of a campaign on a calendar */
            201: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Repeat"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRepeat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                repeatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One campaign on a calendar */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Repeat"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateRepeat: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                repeatId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    calendar?: {
                        /** @enum {string} */
                        type: "daily";
                        /** @description A time of day, as 21:00 */
                        at: string;
                    } | {
                        /** @enum {string} */
                        type: "weekly";
                        /** @description A time of day, as 21:00 */
                        at: string;
                        days: number[];
                    } | {
                        /** @enum {string} */
                        type: "monthly";
                        /** @description A time of day, as 21:00 */
                        at: string;
                        day: number;
                    } | {
                        /** @enum {string} */
                        type: "cron";
                        expression: string;
                    };
                    zone?: string;
                    /** Format: date-time */
                    until?: string | null;
                    maxRuns?: number | null;
                    skipReached?: boolean;
                };
            };
        };
        responses: {
            /** @description Changes when it runs, until when, and whom it leaves out; for the next run on */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Repeat"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_state`: Not possible in this state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseRepeat: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                repeatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stops its runs until it is resumed; campaigns that it has sent go on */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Repeat"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeRepeat: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                repeatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Goes on with the next time of its calendar, in the name of the caller */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Repeat"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endRepeat: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                repeatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ends it for good; campaigns that it has sent go on */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Repeat"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRepeatRuns: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                repeatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its runs, newest first, with their campaigns */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["RepeatRun"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAutomations: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                serviceNumberId?: string;
                status?: "draft" | "active" | "paused" | "ended";
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Campaigns that begin by themselves, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Automation"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createAutomation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    trigger: {
                        /** @enum {string} */
                        event: "contact.entered";
                    } | {
                        /** @enum {string} */
                        event: "contact.followed";
                    } | {
                        /** @enum {string} */
                        event: "tag.assigned";
                        tagId: string;
                    } | {
                        /** @enum {string} */
                        event: "tag.removed";
                        tagId: string;
                    } | {
                        /** @enum {string} */
                        event: "notice.clicked";
                        campaignIds?: string[];
                        actionIndex?: number;
                        bizEventCode?: string;
                    } | {
                        /** @enum {string} */
                        event: "order.paid" | "order.refunded";
                        minAmount?: number;
                        currency?: string;
                    } | {
                        /** @enum {string} */
                        event: "date";
                        attribute: string;
                        offsetDays: number;
                        /** @description A time of day, as 21:00 */
                        at: string;
                        zone: string;
                        /** @default false */
                        yearly?: boolean;
                    } | {
                        /** @enum {string} */
                        event: "segment.entered";
                        segment: components["schemas"]["Segment"];
                        /** @enum {string} */
                        every: "hour" | "day";
                        /** @description A time of day, as 21:00 */
                        at?: string;
                        zone?: string;
                    } | {
                        /** @enum {string} */
                        event: "session.closed";
                        minMessages?: number;
                    };
                    filter?: components["schemas"]["Segment"];
                    /**
                     * @default {
                     *       "minutes": 0
                     *     }
                     */
                    delay?: {
                        minutes: number;
                    };
                    steps: {
                        messages?: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[] | null;
                        messagesBy?: {
                            field: ("language" | "region" | "channel") | {
                                attribute: string;
                            };
                            cases: {
                                values: string[];
                                messages: ({
                                    /** @enum {string} */
                                    type: "buttons";
                                    title: string;
                                    text: string;
                                    /** Format: uri */
                                    image?: string;
                                    actions: ({
                                        /** @enum {string} */
                                        type: "Postback";
                                        label: string;
                                        data?: string | {
                                            [key: string]: unknown;
                                        };
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    } | {
                                        /** @enum {string} */
                                        type: "Url";
                                        label: string;
                                        /** Format: uri */
                                        url: string;
                                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                        tracked?: boolean;
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    })[];
                                } | {
                                    /** @enum {string} */
                                    type: "text";
                                    text: string;
                                } | {
                                    /** @enum {string} */
                                    type: "image";
                                    /** Format: uri */
                                    url: string;
                                } | {
                                    /** @enum {string} */
                                    type: "file";
                                    /** Format: uri */
                                    url: string;
                                    name: string;
                                })[];
                            }[];
                            otherwise: ({
                                /** @enum {string} */
                                type: "buttons";
                                title: string;
                                text: string;
                                /** Format: uri */
                                image?: string;
                                actions: ({
                                    /** @enum {string} */
                                    type: "Postback";
                                    label: string;
                                    data?: string | {
                                        [key: string]: unknown;
                                    };
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                } | {
                                    /** @enum {string} */
                                    type: "Url";
                                    label: string;
                                    /** Format: uri */
                                    url: string;
                                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                    tracked?: boolean;
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                })[];
                            } | {
                                /** @enum {string} */
                                type: "text";
                                text: string;
                            } | {
                                /** @enum {string} */
                                type: "image";
                                /** Format: uri */
                                url: string;
                            } | {
                                /** @enum {string} */
                                type: "file";
                                /** Format: uri */
                                url: string;
                                name: string;
                            })[] | "skip";
                        } | null;
                        delay?: {
                            minutes: number;
                        } | null;
                        /** @enum {string|null} */
                        if?: "clicked" | "not_clicked" | "conversed" | "not_conversed" | null;
                    }[];
                    /** @default once */
                    entry?: "once" | "every" | {
                        afterDays: number;
                    };
                    /** @default null */
                    quietHours?: {
                        /** @description A time of day, as 21:00 */
                        from: string;
                        /** @description A time of day, as 21:00 */
                        to: string;
                        zone: string;
                    } | "none" | null;
                    /** @default null */
                    maxPerDay?: number | null;
                    exitOn?: components["schemas"]["Segment"];
                    /**
                     * Format: date-time
                     * @default null
                     */
                    endsAt?: string | null;
                    /** @default null */
                    holdoutPercent?: number | null;
                    /** @default null */
                    utm?: {
                        source?: string;
                        medium?: string;
                        campaign?: string;
                        term?: string;
                        content?: string;
                    } | null;
                    /**
                     * @default [
                     *       "default"
                     *     ]
                     */
                    channels?: string[];
                    /** @default null */
                    revenueWindowDays?: number | null;
                    serviceNumberId: string;
                };
            };
        };
        responses: {
            /** @description Creates the draft of a campaign that begins by itself */
            201: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAutomation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                automationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One automation, with its entries by status */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAutomation: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                automationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_state`: Not possible in this state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateAutomation: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                automationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    trigger?: {
                        /** @enum {string} */
                        event: "contact.entered";
                    } | {
                        /** @enum {string} */
                        event: "contact.followed";
                    } | {
                        /** @enum {string} */
                        event: "tag.assigned";
                        tagId: string;
                    } | {
                        /** @enum {string} */
                        event: "tag.removed";
                        tagId: string;
                    } | {
                        /** @enum {string} */
                        event: "notice.clicked";
                        campaignIds?: string[];
                        actionIndex?: number;
                        bizEventCode?: string;
                    } | {
                        /** @enum {string} */
                        event: "order.paid" | "order.refunded";
                        minAmount?: number;
                        currency?: string;
                    } | {
                        /** @enum {string} */
                        event: "date";
                        attribute: string;
                        offsetDays: number;
                        /** @description A time of day, as 21:00 */
                        at: string;
                        zone: string;
                        /** @default false */
                        yearly?: boolean;
                    } | {
                        /** @enum {string} */
                        event: "segment.entered";
                        segment: components["schemas"]["Segment"];
                        /** @enum {string} */
                        every: "hour" | "day";
                        /** @description A time of day, as 21:00 */
                        at?: string;
                        zone?: string;
                    } | {
                        /** @enum {string} */
                        event: "session.closed";
                        minMessages?: number;
                    };
                    filter?: components["schemas"]["Segment"];
                    delay?: {
                        minutes: number;
                    };
                    steps?: {
                        messages?: ({
                            /** @enum {string} */
                            type: "buttons";
                            title: string;
                            text: string;
                            /** Format: uri */
                            image?: string;
                            actions: ({
                                /** @enum {string} */
                                type: "Postback";
                                label: string;
                                data?: string | {
                                    [key: string]: unknown;
                                };
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            } | {
                                /** @enum {string} */
                                type: "Url";
                                label: string;
                                /** Format: uri */
                                url: string;
                                /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                tracked?: boolean;
                                title?: string;
                                text?: string;
                                /** Format: uri */
                                imageUrl?: string;
                                displayText?: string;
                                isDefault?: boolean;
                            })[];
                        } | {
                            /** @enum {string} */
                            type: "text";
                            text: string;
                        } | {
                            /** @enum {string} */
                            type: "image";
                            /** Format: uri */
                            url: string;
                        } | {
                            /** @enum {string} */
                            type: "file";
                            /** Format: uri */
                            url: string;
                            name: string;
                        })[] | null;
                        messagesBy?: {
                            field: ("language" | "region" | "channel") | {
                                attribute: string;
                            };
                            cases: {
                                values: string[];
                                messages: ({
                                    /** @enum {string} */
                                    type: "buttons";
                                    title: string;
                                    text: string;
                                    /** Format: uri */
                                    image?: string;
                                    actions: ({
                                        /** @enum {string} */
                                        type: "Postback";
                                        label: string;
                                        data?: string | {
                                            [key: string]: unknown;
                                        };
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    } | {
                                        /** @enum {string} */
                                        type: "Url";
                                        label: string;
                                        /** Format: uri */
                                        url: string;
                                        /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                        tracked?: boolean;
                                        title?: string;
                                        text?: string;
                                        /** Format: uri */
                                        imageUrl?: string;
                                        displayText?: string;
                                        isDefault?: boolean;
                                    })[];
                                } | {
                                    /** @enum {string} */
                                    type: "text";
                                    text: string;
                                } | {
                                    /** @enum {string} */
                                    type: "image";
                                    /** Format: uri */
                                    url: string;
                                } | {
                                    /** @enum {string} */
                                    type: "file";
                                    /** Format: uri */
                                    url: string;
                                    name: string;
                                })[];
                            }[];
                            otherwise: ({
                                /** @enum {string} */
                                type: "buttons";
                                title: string;
                                text: string;
                                /** Format: uri */
                                image?: string;
                                actions: ({
                                    /** @enum {string} */
                                    type: "Postback";
                                    label: string;
                                    data?: string | {
                                        [key: string]: unknown;
                                    };
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                } | {
                                    /** @enum {string} */
                                    type: "Url";
                                    label: string;
                                    /** Format: uri */
                                    url: string;
                                    /** @description False: the link is sent exactly as it is written, without UTM parameters and a click token. */
                                    tracked?: boolean;
                                    title?: string;
                                    text?: string;
                                    /** Format: uri */
                                    imageUrl?: string;
                                    displayText?: string;
                                    isDefault?: boolean;
                                })[];
                            } | {
                                /** @enum {string} */
                                type: "text";
                                text: string;
                            } | {
                                /** @enum {string} */
                                type: "image";
                                /** Format: uri */
                                url: string;
                            } | {
                                /** @enum {string} */
                                type: "file";
                                /** Format: uri */
                                url: string;
                                name: string;
                            })[] | "skip";
                        } | null;
                        delay?: {
                            minutes: number;
                        } | null;
                        /** @enum {string|null} */
                        if?: "clicked" | "not_clicked" | "conversed" | "not_conversed" | null;
                    }[];
                    entry?: "once" | "every" | {
                        afterDays: number;
                    };
                    quietHours?: {
                        /** @description A time of day, as 21:00 */
                        from: string;
                        /** @description A time of day, as 21:00 */
                        to: string;
                        zone: string;
                    } | "none" | null;
                    maxPerDay?: number | null;
                    exitOn?: components["schemas"]["Segment"];
                    /** Format: date-time */
                    endsAt?: string | null;
                    holdoutPercent?: number | null;
                    utm?: {
                        source?: string;
                        medium?: string;
                        campaign?: string;
                        term?: string;
                        content?: string;
                    } | null;
                    channels?: string[];
                    revenueWindowDays?: number | null;
                };
            };
        };
        responses: {
            /** @description Changes an automation */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_state`: Not possible in this state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    activateAutomation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
                "if-match"?: string;
            };
            path: {
                automationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Begins with causes from now on */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseAutomation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
                "if-match"?: string;
            };
            path: {
                automationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sends nothing until it is resumed; causes go on to count */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeAutomation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
                "if-match"?: string;
            };
            path: {
                automationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sends what is due; what has been due for more than 24 hours is skipped */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endAutomation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
                "if-match"?: string;
            };
            path: {
                automationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ends it for good; what waits is skipped */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    withdrawAutomation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                automationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    approvalId: string;
                };
            };
        };
        responses: {
            /** @description Takes back the own request for approval */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAutomationEntries: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "waiting" | "sent" | "skipped" | "unknown";
                contactId?: string;
            };
            header?: never;
            path: {
                automationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Causes and what became of each, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AutomationEntry"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportAutomationEntries: {
        parameters: {
            query?: {
                status?: "waiting" | "sent" | "skipped" | "unknown";
                contactId?: string;
            };
            header?: never;
            path: {
                automationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same as a file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAutomationResults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                automationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What became of its entries and messages, by step and by day */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationResults"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAutomationTasks: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "pending" | "submitting" | "unknown" | "rejected" | "scheduled" | "sending" | "completed" | "cancelled" | "failed";
                task?: string;
            };
            header?: never;
            path: {
                automationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its sub-tasks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AutomationSubTask"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resolveAutomationTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                automationId: string;
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    outcome: "sent";
                    taskId: string;
                } | {
                    /** @enum {string} */
                    outcome: "not_sent";
                };
            };
        };
        responses: {
            /** @description Resolves an unknown sub-task */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationSubTask"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dryRunAutomation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                automationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    lastDays: number;
                };
            };
        };
        responses: {
            /** @description Whom it would have taken in the last days */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationRehearsal"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewAudience: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "serviceNumberId": "sn-harbor",
                 *       "audience": {
                 *         "type": "contacts",
                 *         "contactIds": [
                 *           "sn-harbor-000001"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    serviceNumberId: string;
                    audience: {
                        /** @enum {string} */
                        type: "contacts";
                        contactIds?: string[];
                        audienceId?: string;
                        take?: {
                            percent: number;
                        } | {
                            atMost: number;
                        };
                    } | {
                        /** @enum {string} */
                        type: "app_tags";
                        appTagIds: string[];
                        /** @enum {string} */
                        tagOperator: "AND" | "OR";
                        excludeTagIds?: string[];
                        take?: {
                            percent: number;
                        } | {
                            atMost: number;
                        };
                    } | {
                        /** @enum {string} */
                        type: "segment";
                        segment: components["schemas"]["Segment"];
                        take?: {
                            percent: number;
                        } | {
                            atMost: number;
                        };
                    } | ({
                        /** @enum {string} */
                        type: "ai_query";
                    } & {
                        [key: string]: unknown;
                    });
                    /** Format: date-time */
                    asOf?: string;
                };
            };
        };
        responses: {
            /** @description Counts whom an audience reaches now, or would have reached at an earlier time, and why the others are not reached */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AudiencePreview"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    explainAudience: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "serviceNumberId": "sn-harbor",
                 *       "audience": {
                 *         "type": "contacts",
                 *         "contactIds": [
                 *           "sn-harbor-000001"
                 *         ]
                 *       },
                 *       "contactId": "sn-harbor-000001"
                 *     }
                 */
                "application/json": {
                    serviceNumberId: string;
                    audience: {
                        /** @enum {string} */
                        type: "contacts";
                        contactIds?: string[];
                        audienceId?: string;
                        take?: {
                            percent: number;
                        } | {
                            atMost: number;
                        };
                    } | {
                        /** @enum {string} */
                        type: "app_tags";
                        appTagIds: string[];
                        /** @enum {string} */
                        tagOperator: "AND" | "OR";
                        excludeTagIds?: string[];
                        take?: {
                            percent: number;
                        } | {
                            atMost: number;
                        };
                    } | {
                        /** @enum {string} */
                        type: "segment";
                        segment: components["schemas"]["Segment"];
                        take?: {
                            percent: number;
                        } | {
                            atMost: number;
                        };
                    } | ({
                        /** @enum {string} */
                        type: "ai_query";
                    } & {
                        [key: string]: unknown;
                    });
                    contactId: string;
                    /** Format: date-time */
                    asOf?: string;
                };
            };
        };
        responses: {
            /** @description Whether an audience has one contact, now or at an earlier time, and why or why not */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AudienceExplanation"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAudiences: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                serviceNumberId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Saved audiences, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Audience"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createAudience: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "serviceNumberId": "sn-harbor",
                 *       "name": "Regulars",
                 *       "type": "contacts",
                 *       "contactIds": [
                 *         "sn-harbor-000001"
                 *       ]
                 *     }
                 */
                "application/json": {
                    name: string;
                    serviceNumberId: string;
                    /** @enum {string} */
                    type: "contacts" | "app_tags" | "segment" | "ai_query";
                    contactIds?: string[];
                    appTagIds?: string[];
                    /** @enum {string} */
                    tagOperator?: "AND" | "OR";
                    excludeTagIds?: string[];
                    segment?: components["schemas"]["Segment"];
                    take?: {
                        percent: number;
                    } | {
                        atMost: number;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Saves a list of contacts, a tag filter or a segment */
            201: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audience"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAudience: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                audienceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One saved audience */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audience"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAudience: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                audienceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `in_use`: Still in use */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateAudience: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                audienceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    serviceNumberId?: string;
                    /** @enum {string} */
                    type?: "contacts" | "app_tags" | "segment" | "ai_query";
                    contactIds?: string[];
                    appTagIds?: string[];
                    /** @enum {string} */
                    tagOperator?: "AND" | "OR";
                    excludeTagIds?: string[];
                    segment?: components["schemas"]["Segment"];
                    take?: {
                        percent: number;
                    } | {
                        atMost: number;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Changes a saved audience; its service number and type are fixed */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audience"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `in_use`: Still in use */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAudienceContacts: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                reach?: "reachable" | "expiredTags" | "unsubscribed" | "unreachable" | "controlGroup";
            };
            header?: never;
            path: {
                audienceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Contacts that a saved audience matches now, by id, and whether each is reached */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AudienceContact"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replaceAudienceContacts: {
        parameters: {
            query?: {
                separator?: "comma" | "semicolon" | "tab";
                column?: number;
                header?: "detect" | "present" | "absent";
                invalidLines?: "refuse" | "skip";
            };
            header?: {
                "if-match"?: string;
            };
            path: {
                audienceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            /** @description Replaces a list with the contactIds of a CSV, all or nothing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        memberCount: number;
                        duplicates: number;
                        unknown: number;
                        skipped: number;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `in_use`: Still in use */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restoreAudienceContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
                "if-match"?: string;
            };
            path: {
                audienceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Puts back the list that the last file replaced */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audience"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `in_use`: Still in use
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listServiceNumbers: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The platform’s service numbers of this tenant */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ServiceNumber"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    countContacts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Contacts of all service numbers of this tenant, by follow state and unsubscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ContactCounts"][];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listContacts: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                serviceNumberId?: string;
                q?: string;
                tagId?: string;
                sort?: "enteredAt" | "-enteredAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Contacts of a service number */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Contact"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listContactValues: {
        parameters: {
            query: {
                serviceNumberId: string;
                field: "channel" | "language" | "region" | "attribute";
                name?: string;
                prefix?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values that contacts have for a field of the profile, those of most contacts first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            value: string;
                            contacts: number;
                        }[];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                snId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One contact */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnownContact"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getContactTimeline: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                kind?: "notice" | "click" | "session" | "tag" | "conversion" | "follow";
            };
            header?: never;
            path: {
                snId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was sent to one contact and what the contact did, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["TimelineItem"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTags: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                serviceNumberId?: string;
                status?: "active" | "expired" | "archived";
                sort?: "name" | "-name" | "createdAt" | "-createdAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tags; archived ones only if requested by status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Tag"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "serviceNumberId": "sn-harbor",
                 *       "name": "Likes beans",
                 *       "kind": "permanent"
                 *     }
                 */
                "application/json": {
                    name: string;
                    color?: string | null;
                    /** Format: date-time */
                    expiresAt?: string | null;
                    serviceNumberId: string;
                    /** @enum {string} */
                    kind: "permanent" | "temporary";
                };
            };
        };
        responses: {
            /** @description Creates a tag of a service number */
            201: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tagId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One tag */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    archiveTag: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                tagId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateTag: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                tagId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    color?: string | null;
                    /** Format: date-time */
                    expiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description Changes name, colour or expiry; a later expiresAt revives an expired tag */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTagAssignments: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                tagId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Contacts with this tag, newest first, each with its origin */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["TagAssignment"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    assignTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                tagId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contactIds: string[];
                };
            };
        };
        responses: {
            /** @description Gives the tag to contacts; duplicate ids and repeated calls change nothing */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        assigned: number;
                        alreadyAssigned: number;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unassignTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tagId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contactIds: string[];
                };
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_state`: Not possible in this state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listContactTags: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                snId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tags of one contact, each with the reason for it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ContactTag"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSmartTagRules: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                serviceNumberId?: string;
                targetTagId?: string;
                status?: "active" | "paused";
                sort?: "name" | "-name";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Smart tag rules, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SmartTagRule"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSmartTagRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    triggerEvent: "notice.clicked" | "session.created" | "session.closed" | "no_response_for_N_days";
                    matchCondition: components["schemas"]["MatchCondition"];
                    targetTagId: string;
                    /**
                     * @default active
                     * @enum {string}
                     */
                    status?: "active" | "paused";
                    days?: number | null;
                    campaignId?: string | null;
                };
            };
        };
        responses: {
            /** @description Creates a rule that gives a tag to contacts of the tag's service number */
            201: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmartTagRule"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSmartTagRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One rule */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmartTagRule"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSmartTagRule: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateSmartTagRule: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @enum {string} */
                    triggerEvent?: "notice.clicked" | "session.created" | "session.closed" | "no_response_for_N_days";
                    matchCondition?: components["schemas"]["MatchCondition"];
                    targetTagId?: string;
                    /** @enum {string} */
                    status?: "active" | "paused";
                    days?: number | null;
                    campaignId?: string | null;
                };
            };
        };
        responses: {
            /** @description Changes, pauses or resumes a rule; a changed definition becomes a new version */
            200: {
                headers: {
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmartTagRule"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `stale`: Changed by someone else in the meantime */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSmartTagRuleVersions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every definition of a rule, newest first, even after the rule was removed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SmartTagRuleVersion"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    backtestSmartTagRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: date-time */
                    from: string;
                    /** Format: date-time */
                    to: string;
                };
            };
        };
        responses: {
            /** @description Whom the rule would have tagged for events between from and to, both inclusive, and the first 1,000 ids in that order; changes nothing. One at a time per tenant, for at most 50 s */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Backtest"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `idempotency_key_reused`: The Idempotency-Key was used for another call
             *     - `invalid_content`: Rejected by a rule
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listInboxEvents: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                eventId?: string;
                q?: string;
                campaignId?: string;
                status?: "stored" | "processed" | "failed" | "dismissed";
                eventType?: "notice.clicked" | "session.created" | "session.closed" | "contact.entered" | "contact.followed" | "contact.unfollowed" | "contact.unsubscribed" | "contact.resubscribed" | "contact.updated";
                waiting?: "true" | "false";
                reason?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Received events, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["InboxItem"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getInboxSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many events are waiting or have failed, and of which kind; the 100 largest kinds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        kinds: components["schemas"]["InboxKind"][];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayInboxKind: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    eventType: "notice.clicked" | "session.created" | "session.closed" | "contact.entered" | "contact.followed" | "contact.unfollowed" | "contact.unsubscribed" | "contact.resubscribed" | "contact.updated";
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Has all failed events of a kind handled again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        replayed: number;
                        left: number;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getInboxEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One received event with its payload */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxEvent"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayInboxEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Has a failed or dismissed event handled again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxEvent"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dismissInboxEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Puts a failed event aside, with a reason for the audit log; it can still be replayed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxEvent"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                objectType?: "integration" | "tag" | "smart_tag_rule" | "audience" | "campaign" | "sub_task" | "event" | "contact" | "session" | "access" | "service_token" | "api_key" | "copywriting" | "webhook" | "template" | "repeat" | "automation" | "user";
                objectId?: string;
                actor?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who did what, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AuditEntry"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAuditEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                auditId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry with its full state before and after */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntry"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
                type?: ("campaign.sent" | "campaign.completed" | "subtask.unknown" | "contact.clicked" | "contact.tagged" | "campaign.scheduled" | "campaign.paused" | "campaign.failed" | "campaign.cancelled" | "approval.requested" | "approval.decided" | "automation.entered" | "automation.paused" | "conversation.opened" | "conversation.closed" | "contact.unfollowed" | "audience.imported") | ("campaign.sent" | "campaign.completed" | "subtask.unknown" | "contact.clicked" | "contact.tagged" | "campaign.scheduled" | "campaign.paused" | "campaign.failed" | "campaign.cancelled" | "approval.requested" | "approval.decided" | "automation.entered" | "automation.paused" | "conversation.opened" | "conversation.closed" | "contact.unfollowed" | "audience.imported")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events of the last 30 days, oldest first, as endpoints receive them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ListedEvent"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `gone`: The integration is uninstalled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                serviceNumberId?: string;
                timeZone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What needs attention, and what worked in a period and in the one before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listStandingCampaigns: {
        parameters: {
            query?: {
                serviceNumberId?: string;
                campaignId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Campaigns that have made no progress for longer than expected, with the reason */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["StandingCampaign"][];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportCampaigns: {
        parameters: {
            query?: {
                serviceNumberId?: string;
                status?: "draft" | "scheduled" | "sending" | "paused" | "completed" | "partially_failed" | "failed" | "cancelled" | "closed";
                approval?: "waiting";
                q?: string;
                task?: string;
                audienceId?: string;
                label?: string | string[];
                from?: string;
                to?: string;
                had?: "delivered" | "clickedContacts" | "conversationsOpened" | "conversions";
                sort?: "createdAt" | "-createdAt" | "name" | "-name";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Campaigns with their figures, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportContacts: {
        parameters: {
            query?: {
                serviceNumberId?: string;
                q?: string;
                tagId?: string;
                sort?: "enteredAt" | "-enteredAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Contacts, by service number and id */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportTags: {
        parameters: {
            query?: {
                serviceNumberId?: string;
                status?: "active" | "expired" | "archived";
                sort?: "name" | "-name" | "createdAt" | "-createdAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tags, by name; archived ones only if requested by status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportRules: {
        parameters: {
            query?: {
                serviceNumberId?: string;
                targetTagId?: string;
                status?: "active" | "paused";
                sort?: "name" | "-name";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Smart tag rules, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportRecipients: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everybody that a campaign was frozen for, with their newest sub-task and first click */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportCampaignContacts: {
        parameters: {
            query?: {
                outcome?: "received" | "not_received" | "clicked" | "not_clicked" | "conversed" | "converted" | "held_back";
                messageIndex?: number | null;
                actionIndex?: number | null;
                bizEventCode?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contacts of a campaign by id, with what each did */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportClicks: {
        parameters: {
            query?: {
                messageIndex?: number | null;
                actionIndex?: number | null;
                bizEventCode?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Attributed clicks, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportAssignments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tagId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Contacts with a tag, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportAudienceContacts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                audienceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Contacts that a saved audience matches now, by id, and whether each is reached */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `invalid_content`: Rejected by a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportAuditLog: {
        parameters: {
            query?: {
                objectType?: "integration" | "tag" | "smart_tag_rule" | "audience" | "campaign" | "sub_task" | "event" | "contact" | "session" | "access" | "service_token" | "api_key" | "copywriting" | "webhook" | "template" | "repeat" | "automation" | "user";
                objectId?: string;
                actor?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who did what, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `rate_limited`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    closeCampaigns: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    campaignIds: string[];
                };
            };
        };
        responses: {
            /** @description Closes several campaigns: nothing more is sent for them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["BatchResult"][];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tagContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path: {
                tagId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contactIds: string[];
                };
            };
        };
        responses: {
            /** @description Gives a tag to several contacts of the tag's service number */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["BatchResult"][];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `not_found`: Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `conflict`: Conflicts with the current state
             *     - `invalid_state`: Not possible in this state
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    archiveTags: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    tagIds: string[];
                };
            };
        };
        responses: {
            /** @description Archives several tags; their assignments stay readable */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["BatchResult"][];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeSmartTagRules: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ruleIds: string[];
                };
            };
        };
        responses: {
            /** @description Removes several rules; the tags they assigned stay */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["BatchResult"][];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayInboxEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    eventIds: string[];
                };
            };
        };
        responses: {
            /** @description Has several failed or dismissed events handled again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["BatchResult"][];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dismissInboxEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every retry of one call: within 24 h a retry gets the answer of the first */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    eventIds: string[];
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Puts several failed events aside, with one reason for the audit log */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["BatchResult"][];
                    };
                };
            };
            /** @description - `invalid_request`: The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unauthorized`: No valid session or signature */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `forbidden`: Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_slow`: The body arrived too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `conflict`: Conflicts with the current state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `too_large`: Too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unsupported_media_type`: Another type or coding of body is needed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `idempotency_key_reused`: The Idempotency-Key was used for another call */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description - `unavailable`: Currently unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the process is up */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "up";
                    };
                };
            };
        };
    };
    livez: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the process is up */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "up";
                    };
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether an API has its database, and a worker polls */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description What is unavailable, with the reason */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
}
