import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { type HookTab, hookTabs } from "../../src/protocol/hookView.ts";
import type { SettingsPageMessage } from "../../src/protocol/settingsPage.ts";
import { formatString, type SettingsStrings } from "../../src/protocol/strings.ts";
import type { Host } from "../shared/host.ts";
import { LiveRegion } from "../shared/LiveRegion.tsx";
import { visibleText } from "../shared/visibleText.ts";
import { Button, type FocusHandle, IconButton } from "../ui/Button.tsx";
import { Icon } from "../ui/Icon.tsx";
import { LinkButton } from "../ui/LinkButton.tsx";
import { Tabs } from "../ui/Tabs.tsx";
import { TextField } from "../ui/TextField.tsx";
import { DeleteDialog } from "./DeleteDialog.tsx";
import { HookList } from "./HookList.tsx";
import type { HookRowActions } from "./HookRow.tsx";
import { ProblemList } from "./ProblemList.tsx";
import type { PageAction, PageState } from "./pageState.ts";
import { filterRows, hookName, rowsOf } from "./rows.ts";
import { texts } from "./texts.ts";

interface PageProps {
  state: PageState;
  dispatch: (action: PageAction) => void;
  host: Host<SettingsPageMessage>;
}

const tabTexts: Record<HookTab, keyof SettingsStrings> = {
  user: "tabUser",
  project: "tabProject",
  plugin: "tabPlugin",
};

const emptyTexts: Record<HookTab, { text: keyof SettingsStrings; hint: keyof SettingsStrings }> = {
  user: { text: "emptyUser", hint: "emptyUserHint" },
  project: { text: "emptyProject", hint: "emptyProjectHint" },
  plugin: { text: "emptyPlugin", hint: "emptyPluginHint" },
};

export function SettingsPage(props: PageProps) {
  const { state, dispatch, host } = props;
  const { snapshot, deletion, failure } = state;
  const nextRequest = useRef(1);
  if (!snapshot) {
    return (
      <main className="page loading" aria-busy="true">
        <p role="status">
          <Icon name="loading" spin /> {texts.loading}
        </p>
      </main>
    );
  }
  const selectTab = (tab: HookTab) => {
    dispatch({ type: "selectTab", tab });
    host.post({ type: "tab", tab });
  };
  const confirmDelete = () => {
    if (!deletion) return;
    const requestId = nextRequest.current++;
    dispatch({ type: "requestDelete", requestId });
    host.post({ type: "deleteHook", id: deletion.hook.id, requestId });
  };
  return (
    <main className="page">
      <header className="page-head">
        <h1>
          {texts.title}{" "}
          <bdi className="secondary" title={snapshot.projectDir}>
            {visibleText(snapshot.projectName)}
          </bdi>
        </h1>
        {!snapshot.trusted && <RestrictedBanner onManage={() => host.post({ type: "manageTrust" })} />}
        {failure && (
          <div className="banner error" role="alert">
            <span className="level-error">
              <Icon name="error" />
            </span>
            <div className="banner-text">
              <p>
                <strong>{texts.deleteFailed}</strong> <bdi>{visibleText(hookName(failure.hook))}</bdi>
              </p>
              <p className="data">{visibleText(failure.reason)}</p>
            </div>
            <IconButton
              icon="close"
              label={texts.dismiss}
              onClick={() => dispatch({ type: "dismissFailure" })}
            />
          </div>
        )}
      </header>
      <Tabs
        label={texts.tabsLabel}
        active={state.tab}
        onSelect={selectTab}
        tabs={hookTabs.map((id) => ({
          id,
          text: texts[tabTexts[id]],
          count: snapshot.hooks.filter(({ tab }) => tab === id).length,
        }))}
      >
        <TabContent {...props} key={state.tab} />
      </Tabs>
      {deletion && (
        <DeleteDialog
          hook={deletion.hook}
          busy={deletion.requestId !== undefined}
          onCancel={() => dispatch({ type: "cancelDelete" })}
          onConfirm={confirmDelete}
        />
      )}
      <LiveRegion announcement={state.announcement} />
    </main>
  );
}

function RestrictedBanner(props: { onManage: () => void }) {
  return (
    <div className="banner warning" role="note">
      <span className="level-warning">
        <Icon name="shield" />
      </span>
      <div className="banner-text">
        <p>
          <strong>{texts.restrictedTitle}</strong> {texts.restrictedText}
        </p>
        <LinkButton onClick={props.onManage}>{texts.manageTrust}</LinkButton>
      </div>
    </div>
  );
}

/** Filter, problems and hooks of the active tab. */
function TabContent(props: PageProps) {
  const { state, dispatch, host } = props;
  const { tab, snapshot } = state;
  const scroller = useRef<HTMLDivElement>(null);
  const newButton = useRef<FocusHandle>(null);
  const [above, startMargin] = useHeight();
  const filter = useDeferredValue(state.filter);
  const rows = useMemo(
    () => rowsOf((snapshot?.hooks ?? []).filter((hook) => hook.tab === tab)),
    [snapshot, tab],
  );
  const shown = useMemo(() => filterRows(rows, filter), [rows, filter]);
  const problems = useMemo(
    () => (snapshot?.problems ?? []).filter((problem) => problem.tab === tab),
    [snapshot, tab],
  );
  const actions = useMemo<HookRowActions>(
    () => ({
      edit: (hook) => host.post({ type: "editHook", id: hook.id }),
      askDelete: (hook) => dispatch({ type: "askDelete", hook }),
      openFile: ({ file, line, column }) => host.post({ type: "openFile", file, line, column }),
    }),
    [host, dispatch],
  );
  const onFocusLost = useCallback(() => newButton.current?.focus(), []);
  const empty = emptyTexts[tab];
  return (
    <div className="tab-content">
      {(tab !== "plugin" || rows.length > 0) && (
        <div className="toolbar">
          {rows.length > 0 && (
            <div className="filter">
              <TextField
                value={state.filter}
                label={texts.filterLabel}
                placeholder={texts.filterPlaceholder}
                onInput={(text) => dispatch({ type: "setFilter", filter: text })}
              />
              <span className="secondary" role="status">
                {filter && formatString(texts.filterCount, shown.length, rows.length)}
              </span>
            </div>
          )}
          {tab !== "plugin" && (
            <Button ref={newButton} icon="add" onClick={() => host.post({ type: "newHook", tab })}>
              {tab === "user" ? texts.newUserHook : texts.newProjectHook}
            </Button>
          )}
        </div>
      )}
      <div className="scroller" ref={scroller}>
        <div ref={above}>
          <ProblemList problems={problems} openFile={actions.openFile} />
        </div>
        {shown.length > 0 ? (
          <HookList
            rows={shown}
            label={formatString(texts.hooksLabel, texts[tabTexts[tab]], shown.length)}
            actions={actions}
            scroller={scroller}
            startMargin={startMargin}
            dialogOpen={state.deletion !== undefined}
            onFocusLost={onFocusLost}
          />
        ) : rows.length > 0 ? (
          <div className="empty">
            <p>{formatString(texts.emptyFiltered, visibleText(filter))}</p>
            <LinkButton onClick={() => dispatch({ type: "setFilter", filter: "" })}>
              {texts.clearFilter}
            </LinkButton>
          </div>
        ) : (
          <div className="empty">
            <p>{texts[empty.text]}</p>
            <p className="secondary">{texts[empty.hint]}</p>
          </div>
        )}
      </div>
    </div>
  );
}

/** The height of an element in pixels, followed as it changes. */
function useHeight() {
  const [height, setHeight] = useState(0);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observed = element.current;
    if (!observed) return;
    const observer = new ResizeObserver(() => setHeight(observed.offsetHeight));
    observer.observe(observed);
    return () => observer.disconnect();
  }, []);
  return [element, height] as const;
}
