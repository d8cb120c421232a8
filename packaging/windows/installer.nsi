; SPDX-License-Identifier: Apache-2.0
; Installs dpdesk for one user from a wheelhouse; packaging/windows_installer.py compiles it and
; defines NAME, VERSION, NUMBERS, SUMMARY, PUBLISHER, HOUSE, ICON, KILOBYTES, OUT, and where a
; Python comes along, EMBEDDED.
Unicode true
Target amd64-unicode
RequestExecutionLevel user
ManifestDPIAware true
; Wheels are packed already.
SetCompress off
SetDateSave off
CRCCheck on

!include LogicLib.nsh
!include MUI2.nsh
!include x64.nsh

Name "${NAME}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
BrandingText "${NAME} ${VERSION}"
VIProductVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "${SUMMARY}"
VIAddVersionKey "CompanyName" "${PUBLISHER}"
VIAddVersionKey "LegalCopyright" "Apache-2.0"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEPAGE_TITLE "${NAME} ${VERSION}"
!ifdef EMBEDDED
  !define NEEDS "A Python for ${NAME} alone comes along; this PC needs none."
!else
  !define NEEDS "${NAME} needs Python 3.11, 3.12 or 3.13 (64-bit) on this PC. It will use the one in $Python."
!endif
!define MUI_WELCOMEPAGE_TEXT "${NEEDS}$\r$\n$\r$\nNo administrator and no network is needed. ${NAME} is installed for you alone and takes about 900 MB.$\r$\n$\r$\nYour ledger, keys and settings are kept when ${NAME} is updated or removed."
!define MUI_FINISHPAGE_TEXT "${NAME} is in the start menu. A double-click on a .dpdesk file opens the study; a right click on a .zip offers to verify it as a bundle."

Var Python
Var Window

!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

!define CLASSES "Software\Classes"
!define STUDY "${NAME}.study"
!define VERIFY "${CLASSES}\SystemFileAssociations\.zip\shell\${NAME}.verify"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\${NAME}"

; Where PEP 514 has installers write it; the user's own Python first.
!macro FindPython ROOT MINOR
  ${If} $Python == ""
    ReadRegStr $Python ${ROOT} "Software\Python\PythonCore\3.${MINOR}\InstallPath" "ExecutablePath"
    ${IfNot} ${FileExists} "$Python"
      StrCpy $Python ""
    ${EndIf}
  ${EndIf}
!macroend

Function .onInit
  SetRegView 64
  !ifndef EMBEDDED
    !insertmacro FindPython HKCU 13
    !insertmacro FindPython HKLM 13
    !insertmacro FindPython HKCU 12
    !insertmacro FindPython HKLM 12
    !insertmacro FindPython HKCU 11
    !insertmacro FindPython HKLM 11
    ${If} $Python == ""
      MessageBox MB_OK|MB_ICONSTOP "${NAME} needs Python 3.11, 3.12 or 3.13 (64-bit), and this PC has none. Install one for yourself, from python.org or as your IT department provides it, and start this again. Nothing was changed." /SD IDOK
      SetErrorLevel 3
      Quit
    ${EndIf}
  !endif
FunctionEnd

Section
  SetOutPath "$INSTDIR\wheelhouse"
  File /r "${HOUSE}/*.*"
  SetOutPath "$INSTDIR"
  File "/oname=${NAME}.ico" "${ICON}"
  !ifdef EMBEDDED
    SetOutPath "$INSTDIR\wheelhouse\python"
    File /r "${EMBEDDED}/*.*"
    StrCpy $Python "$INSTDIR\wheelhouse\python\python.exe"
    StrCpy $Window "$INSTDIR\environment\pythonw.exe"
  !else
    StrCpy $Window "$INSTDIR\environment\Scripts\pythonw.exe"
  !endif
  SetOutPath "$INSTDIR"
  nsExec::ExecToLog '"$Python" -I "$INSTDIR\wheelhouse\install.py" "$INSTDIR\environment"'
  Pop $0
  RMDir /r "$INSTDIR\wheelhouse"
  ${If} $0 != "0"
    ${IfNot} ${FileExists} "$INSTDIR\environment\*.*"
      Delete "$INSTDIR\${NAME}.ico"
      RMDir "$INSTDIR"
    ${EndIf}
    DetailPrint "${NAME} was not installed; the lines above say why."
    SetErrorLevel 4
    Abort
  ${EndIf}

  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$Window" "-I -m dpdesk" "$INSTDIR\${NAME}.ico" 0 SW_SHOWNORMAL "" "${SUMMARY}"

  WriteRegStr HKCU "${CLASSES}\.dpdesk" "" "${STUDY}"
  WriteRegStr HKCU "${CLASSES}\.dpdesk" "Content Type" "${STUDY_MIME}"
  WriteRegStr HKCU "${CLASSES}\${STUDY}" "" "${STUDY_COMMENT}"
  WriteRegStr HKCU "${CLASSES}\${STUDY}\DefaultIcon" "" "$INSTDIR\${NAME}.ico"
  WriteRegStr HKCU "${CLASSES}\${STUDY}\shell\open\command" "" '"$Window" -I -m dpdesk "%1"'
  ; Windows tells files apart by their ending alone, and zips are not ours to open.
  WriteRegStr HKCU "${VERIFY}" "" "Verify with ${NAME}"
  WriteRegStr HKCU "${VERIFY}" "Icon" "$INSTDIR\${NAME}.ico"
  WriteRegStr HKCU "${VERIFY}\command" "" '"$Window" -I -m dpdesk "%1"'

  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "${PUBLISHER}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\${NAME}.ico"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${KILOBYTES}
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd

Function un.onInit
  SetRegView 64
FunctionEnd

; Only what was installed: ledger, keys and settings lie elsewhere, and so may files of others here.
Section Uninstall
  ClearErrors
  Rename "$INSTDIR\environment" "$INSTDIR\environment.removed"
  ${If} ${Errors}
    MessageBox MB_OK|MB_ICONSTOP "${NAME} is running. Close it and try again; nothing was removed." /SD IDOK
    SetErrorLevel 5
    Abort
  ${EndIf}
  RMDir /r "$INSTDIR\environment.removed"
  Delete "$SMPROGRAMS\${NAME}.lnk"
  Delete "$INSTDIR\${NAME}.ico"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  ReadRegStr $0 HKCU "${CLASSES}\.dpdesk" ""
  ${If} $0 == "${STUDY}"
    DeleteRegKey HKCU "${CLASSES}\.dpdesk"
  ${EndIf}
  DeleteRegKey HKCU "${CLASSES}\${STUDY}"
  DeleteRegKey HKCU "${VERIFY}"
  DeleteRegKey HKCU "${UNINSTALL}"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd
